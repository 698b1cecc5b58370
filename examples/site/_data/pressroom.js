// Reads everything that the site shows: twenty articles with their texts in one request, and the tags.
import { keyOf, pathOf } from '../eleventy.config.js';
const { PRESSROOM_URL = 'http://127.0.0.1:3000', API_KEY = '' } = process.env;

async function all(path, query) {
  const items = [];
  for (let next = `?${query}`; next;) {
    const response = await fetch(PRESSROOM_URL + path + next, {
      headers: { 'x-api-key': API_KEY },
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    items.push(...(await response.json()).data);
    next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return items;
}

export default async function () {
  const articles = await all('/blogs/latest', 'limit=20&include=text');
  const tags = (await all('/tags', 'limit=100')).map(({ tag }) => tag);
  const authors = new Map(articles.map(({ author: { _id, name } }) => [_id, name]));
  const list = (path, heading, has) => ({ path, heading, articles: articles.filter(has) });
  const hasTag = (tag) => (each) => each.tags.map(keyOf).includes(keyOf(tag));
  const isBy = (id) => (each) => each.author._id === id;
  const lists = [list('/', 'A site on Pressroom', () => true)];
  lists.push(...tags.map((tag) => list(pathOf(tag), tag, hasTag(tag))));
  for (const [id, name] of authors) lists.push(list(`/authors/${id}/`, name, isBy(id)));
  return { articles, tags, lists };
}

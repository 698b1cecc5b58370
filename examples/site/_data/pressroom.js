// Reads everything that the site shows: twenty articles with their texts in one request, tags, and the feed.
import { keyOf, pathOf } from '../eleventy.config.js';
const { PRESSROOM_URL: url = 'http://127.0.0.1:3000', API_KEY = '', SEARCH_KEY = '' } = process.env;
const get = (path) => fetch(url + path, { headers: { 'x-api-key': API_KEY } });

async function all(path, query) {
  const items = [];
  for (let next = `?${query}`; next;) {
    const response = await get(path + next);
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
  const lists = [list('/', 'A site on Pressroom', () => true)];
  lists.push(...tags.map((tag) => list(pathOf(tag), tag, hasTag(tag))));
  for (const [id, name] of authors)
    lists.push(list(`/authors/${id}/`, name, ({ author }) => author._id === id));
  const feed = await get('/feeds/rss.xml');
  // The key of the search page is public: give it a key of its own, with the scopes read and search.
  return { articles, tags, lists, feed: feed.ok ? await feed.text() : '', url, key: SEARCH_KEY };
}

import { setTimeout as wait } from 'node:timers/promises';
import mongoose from 'mongoose';
import { CREDENTIALS } from '../../scripts/support/own-server.ts';
import { publishArticle } from '../slow-loris/article.mjs';

const { MongoClient, ObjectId } = mongoose.mongo;
export const ARTICLES = 400;
const DRAFTS = 4;
const PEOPLE = 4;
const SHOWN_MS = 10_000;
/** Nearly as long as it may be: lists are made of these. */
const LONG = {
  title: 'One of many articles that have their words and tags in common',
  description: 'A sentence of a long description of an article. '.repeat(40).trim(),
  tags: ['bench', 'door', 'attack'],
};

/**
 * Fills a fresh own server with what the attacks ask for.
 *
 * @returns `article` (the path of the one that is read), `ids` of many others, `drafts` (ids) of
 *   `author`, and `people` and `learner`, who have no right
 */
export async function fillWorld(server) {
  const { call } = server;
  const article = await publishArticle(server);
  const ids = await copyArticle(server, await publishArticle(server, LONG));
  const root = await call('POST', '/auth/signin/basic', { body: CREDENTIALS });
  const author = { token: root.tokens.accessToken };
  const drafts = [];
  for (let number = 0; number < DRAFTS; number += 1) {
    const body = {
      title: `Draft ${number}`,
      description: 'To be edited.',
      draftText: '<p>It.</p>',
    };
    const { _id } = await call('POST', '/blog/author', { token: author.token, body });
    drafts.push(_id);
  }
  const people = [];
  for (let number = 0; number < PEOPLE; number += 1)
    people.push(await signUp(call, `person-${number}`));
  return { article, ids, drafts, author, people, learner: await signUp(call, 'learner') };
}

async function signUp(call, name) {
  const person = { email: `${name}@door.example`, password: CREDENTIALS.password };
  const { tokens } = await call('POST', '/auth/signup/basic', {
    body: { ...person, name: 'Somebody' },
  });
  return { ...person, token: tokens.accessToken };
}

/** To publish each of them takes a second for fifty. @returns the ids, once readers see them */
async function copyArticle({ call, mongod }, path) {
  const slug = path.split('/').at(-1);
  const uri = `mongodb://${encodeURIComponent(mongod().socket)}/pressroom?directConnection=true`;
  const client = await MongoClient.connect(uri);
  try {
    const blogs = client.db().collection('blogs');
    const original = await blogs.findOne({ slug });
    const copies = Array.from({ length: ARTICLES }, (_, number) => copyOf(original, number));
    await blogs.insertMany(copies);
    await untilShown(call, copies.at(-1));
    return copies.map(({ _id }) => _id.toHexString());
  } finally {
    await client.close();
  }
}

function copyOf(original, number) {
  const slug = `${original.slug}-${number}`;
  return {
    ...original,
    _id: new ObjectId(),
    slug,
    slugs: [slug],
    live: { ...original.live, slug, at: new Date(original.live.at.getTime() + number + 1) },
  };
}

async function untilShown(call, { slug }) {
  for (const deadline = performance.now() + SHOWN_MS; ; await wait(20)) {
    const [latest] = await call('GET', '/blogs/latest?limit=1');
    if (latest?.slug === slug) return;
    if (performance.now() > deadline) throw new Error('the articles are not shown');
  }
}

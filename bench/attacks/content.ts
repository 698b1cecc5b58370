import mongoose from 'mongoose';
import type { Call, Mongod } from '../../scripts/support/own-server.ts';
import { publishArticle, signInAdmin, signUp, type Blog } from '../support/newsroom.ts';
import { until } from '../support/timing.ts';

const { MongoClient, ObjectId } = mongoose.mongo;
export const ARTICLE_COUNT = 400;
const SHOWN_MS = 10_000;

const ARTICLE = {
  title: 'Read by many',
  description: 'The article that the readers of this program ask for.',
  draftText: '<p>A paragraph of an article.</p>'.repeat(100),
  tags: ['bench'],
};
/** An article with a description of nearly the maximum length, because lists contain descriptions. */
const LONG_ARTICLE = {
  ...ARTICLE,
  title: 'One of many articles that have their words and tags in common',
  description: 'A sentence of a long description of an article. '.repeat(40).trim(),
  tags: ['bench', 'attack', 'defence'],
};

/** The articles and the account that the attacks use. */
export type Content = Awaited<ReturnType<typeof fillTarget>>;

interface StoredBlog {
  readonly slug: string;
  readonly live: { readonly at: Date };
}

/**
 * Publishes one article for the readers and many others for the attackers.
 * @param count number of the other articles
 * @returns `article` is the path of the readers' article, `ids` are those of the others, and `learner` is a user
 *   without rights
 */
export async function fillTarget(call: Call, mongod: Mongod, count = ARTICLE_COUNT) {
  const token = await signInAdmin(call);
  const publish = (article: typeof ARTICLE) =>
    publishArticle(call, { author: token, admin: token }, article);
  const { slug } = await publish(ARTICLE);
  const ids = await copyArticle(await publish(LONG_ARTICLE), count, { call, mongod });
  const learner = await signUp(call, 'learner@attack.example');
  return { article: `/blog/slug/${slug}`, ids, learner };
}

/**
 * Copies an article within the database, because publishing takes about 20 ms an article.
 * @returns the ids, once readers see the copies
 */
async function copyArticle(
  { slug }: Blog,
  count: number,
  { call, mongod }: { call: Call; mongod: Mongod },
): Promise<string[]> {
  const uri = `mongodb://${encodeURIComponent(mongod.socket)}/pressroom?directConnection=true`;
  const client = await MongoClient.connect(uri);
  try {
    const blogs = client.db().collection<StoredBlog>('blogs');
    const original = await blogs.findOne({ slug });
    if (original === null) throw new Error(`there is no blog ${slug}`);
    const copies = Array.from({ length: count }, (_, number) => copyOf(original, number + 1));
    await blogs.insertMany(copies);
    await untilShown(call, `${slug}-${count}`);
    return copies.map(({ _id }) => _id.toHexString());
  } finally {
    await client.close();
  }
}

function copyOf(original: StoredBlog, number: number) {
  const slug = `${original.slug}-${number}`;
  const at = new Date(original.live.at.getTime() + number);
  const live = { ...original.live, slug, at };
  return { ...original, _id: new ObjectId(), slug, slugs: [slug], live };
}

async function untilShown(call: Call, slug: string): Promise<void> {
  const isShown = async () =>
    (await call<Blog[]>('GET', '/blogs/latest?limit=1'))[0]?.slug === slug;
  await until('the articles', isShown, { withinMs: SHOWN_MS, everyMs: 20 });
}

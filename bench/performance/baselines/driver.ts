/**
 * The baseline for uncached reads: Fastify and the MongoDB driver without Nest or Mongoose. It sends one query for each
 * request, with the best index and only the needed fields, and answers with the same JSON as Pressroom. Pressroom's own
 * function makes the table of contents, because no library does. The baseline does less than Pressroom: it checks no
 * API key and no input, sends no ETag and no other headers, and reads the authors' names once.
 */
import fastify, { type FastifyReply } from 'fastify';
import mongoose, { type mongo } from 'mongoose';
import { built } from '../../support/built.ts';

const { tocOf } = await built('blog/core/html/toc');
const { MongoClient } = mongoose.mongo;
const JSON_TYPE = 'application/json; charset=utf-8';
const IS_PUBLIC = { status: true, published: true };
// The index is partial. MongoDB uses it only for a query that contains its filter, which is on `live.at`.
const LATEST_FILTER = { ...IS_PUBLIC, 'live.at': { $gt: new Date(0) } };
const NEWEST_FIRST = { 'live.at': -1, _id: -1 } as const;
const LATEST_INDEX = { status: 1, published: 1, ...NEWEST_FIRST };
const TAG_INDEX = { 'live.tagKeys': 1, ...LATEST_INDEX };
/** The fields of an article that a list shows. */
const ITEM = {
  'live.at': 1,
  'live.updatedAt': 1,
  'live.readingMinutes': 1,
  'live.title': 1,
  'live.description': 1,
  'live.slug': 1,
  'live.tags': 1,
  'live.imgUrl': 1,
  score: 1,
  author: 1,
};
const ARTICLE = { projection: { ...ITEM, text: 1 }, hint: { slugs: 1 } };

interface Live {
  readonly at: Date;
  readonly slug: string;
  readonly tags: readonly string[];
  readonly [field: string]: unknown;
}
interface Blog {
  readonly _id: mongo.ObjectId;
  readonly author: mongo.ObjectId;
  readonly live: Live;
  readonly text: string;
  readonly [field: string]: unknown;
}
type Page = Readonly<Record<'page' | 'limit', string>>;

const client = await MongoClient.connect(process.env.MONGODB_URI ?? '');
const db = client.db();
const blogs = db.collection<Blog>('blogs');
const names = new Map<string, string>();
const users = db.collection<{ name: string }>('users');
for await (const { _id, name } of users.find({}, { projection: { name: 1 } })) {
  names.set(_id.toHexString(), name);
}

const app = fastify({ routerOptions: { maxParamLength: 2_400 } });
app.get('/ready', () => 'ready');

app.get<{ Params: { slug: string } }>('/blog/slug/:slug', async (request, reply) => {
  const { slug } = request.params;
  const blog = await blogs.findOne({ slugs: slug, 'live.slug': slug, ...IS_PUBLIC }, ARTICLE);
  if (blog === null) return reply.code(404).send({ message: 'blog not found' });
  const { text } = blog;
  return sendData(reply, { ...itemOf(blog, text), toc: tocOf(text) });
});

app.get<{ Querystring: Page }>('/blogs/latest', (request, reply) =>
  sendList(reply, LATEST_FILTER, LATEST_INDEX, request.query),
);

app.get<{ Params: { tag: string }; Querystring: Page }>('/blogs/tag/:tag', (request, reply) =>
  sendList(reply, { 'live.tagKeys': request.params.tag, ...IS_PUBLIC }, TAG_INDEX, request.query),
);

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });

async function sendList(
  reply: FastifyReply,
  filter: mongo.Filter<Blog>,
  hint: mongo.Hint,
  { page, limit }: Page,
): Promise<FastifyReply> {
  const items = await blogs
    .find(filter, { projection: ITEM, hint })
    .sort(NEWEST_FIRST)
    .skip((Number(page) - 1) * Number(limit))
    .limit(Number(limit))
    .toArray();
  return sendData(
    reply,
    items.map((blog) => itemOf(blog)),
  );
}

/** The fields have the same order as in Pressroom, so that the bodies are equal. */
function itemOf({ _id, live, score, author: id }: Blog, text?: string) {
  const { title, description, slug, imgUrl, tags, at, updatedAt, readingMinutes } = live;
  const author = { _id: id, name: names.get(id.toHexString()) };
  const shown = { _id, title, description, text, slug, author, imgUrl, score, tags };
  return { ...shown, publishedAt: at, updatedAt, readingMinutes };
}

function sendData(reply: FastifyReply, data: unknown): FastifyReply {
  void reply.type(JSON_TYPE);
  return reply.send(JSON.stringify({ code: '10000', status: 200, message: 'success', data }));
}

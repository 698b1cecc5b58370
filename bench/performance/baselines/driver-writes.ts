/**
 * Bare Fastify on the bare MongoDB driver, writing what Pressroom writes: the same cleaning of the
 * HTML, the same words and keys, documents of the same shape, as many writes with `w: majority`. In
 * its favour: no API key, no token, no roles, no checks of what comes in, no revisions to
 * compare, no events, no counts of tags, no spellings.
 */
import fastify from 'fastify';
import mongoose, { type mongo } from 'mongoose';
import { built } from '../../support/built.ts';

const { cleanHtml, HTML_VERSION } = await built('blog/core/html/clean-html');
const { articleWords } = await built('blog/public/search/index/article-words.worker');
const { toWorkingCopy } = await built('blog/core/blog-fields');
const { MongoClient, ObjectId } = mongoose.mongo;
const COPY = ['title', 'titleWords', 'description', 'descriptionWords', 'slug', 'tags', 'tagKeys'];

interface Body {
  readonly title: string;
  readonly description: string;
  readonly draftText: string;
}
type NewBody = Body & { readonly slug: string; readonly tags: string[] };
interface Blog {
  readonly _id: mongo.ObjectId;
  readonly [field: string]: unknown;
}
interface ById {
  readonly Params: { readonly id: string };
}

const client = await MongoClient.connect(process.env.MONGODB_URI ?? '', {
  writeConcern: { w: 'majority' },
});
const db = client.db();
const blogs = db.collection<Blog>('blogs');
const author = new ObjectId(process.env.AUTHOR_ID);
const user = await db.collection<{ name: string }>('users').findOne({ _id: author });

const app = fastify({ bodyLimit: 1_048_576 });
app.get('/ready', () => 'ready');

app.post<{ Body: NewBody }>('/blog/author', async ({ body }) => {
  const now = new Date();
  const { slug } = body;
  const blog = {
    _id: new ObjectId(),
    ...stored(body),
    ...{ slugs: [slug], submitted: false, drafted: true, published: false, status: true },
    ...{ author, createdBy: author, updatedBy: author, score: 0.01, rev: 1 },
    ...{ createdAt: now, updatedAt: now },
  };
  await blogs.insertOne(blog);
  return viewOf('blog created successfully', blog);
});

app.put<ById & { Body: Body }>('/blog/author/id/:id', async ({ params, body }) => {
  const precondition = { author, submitted: { $ne: true } };
  const literals = Object.entries(stored(body)).map(([field, $literal]): [string, object] => [
    field,
    { $literal },
  ]);
  const fields = { ...Object.fromEntries(literals), drafted: true };
  return viewOf('blog updated successfully', await change(params.id, precondition, fields));
});

app.put<ById>('/blog/author/submit/:id', async ({ params }) =>
  viewOf(
    'blog submitted successfully',
    await change(params.id, { author, drafted: true }, { submitted: true, drafted: false }),
  ),
);

app.put<ById>('/blog/editor/publish/id/:id', async ({ params }) => {
  const live = Object.fromEntries(COPY.map((field) => [field, `$${field}`]));
  const flags = { submitted: false, drafted: false, published: true };
  const words = await wordsOf(params.id);
  const $set = {
    live: { at: '$$NOW', updatedAt: '$$NOW', words: { $literal: words }, ...live },
    text: '$draftText',
    publishedAt: '$$NOW',
  };
  return viewOf(
    'blog published successfully',
    await change(params.id, { submitted: true }, { ...$set, ...flags }),
  );
});

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });

/** The words by which a search finds the article. */
async function wordsOf(id: string): Promise<readonly string[]> {
  const blog = await blogs.findOne<Body & { readonly tags: string[] }>(
    { _id: new ObjectId(id) },
    { projection: { title: 1, tags: 1, description: 1, draftText: 1 } },
  );
  if (blog === null) throw new Error(`no blog ${id}`);
  const { draftText: text, ...others } = blog;
  return (await articleWords({ ...others, text, language: 'en' })).words;
}

function stored({ draftText, ...body }: Body | NewBody) {
  return toWorkingCopy({ ...body, draftText: cleanHtml(draftText) }, HTML_VERSION);
}

async function change(
  id: string,
  precondition: Record<string, unknown>,
  fields: Record<string, unknown>,
): Promise<Blog> {
  const counted = { rev: { $add: ['$rev', 1] }, updatedAt: '$$NOW', updatedBy: author };
  const blog = await blogs.findOneAndUpdate(
    { _id: new ObjectId(id), status: true, ...precondition },
    [{ $set: { ...fields, ...counted } }],
    { returnDocument: 'after', projection: { 'live.words': 0 } },
  );
  if (blog === null) throw new Error(`no blog ${id} in that state`);
  return blog;
}

function viewOf(message: string, blog: Blog) {
  const { title, description, slug, score, tags, submitted, drafted, published } = blog;
  const { createdAt, updatedAt, draftText, text, publishedAt } = blog;
  return {
    code: '10000',
    status: 200,
    message,
    data: {
      _id: blog._id.toHexString(),
      ...{ title, description, slug, score, tags },
      author: { _id: author.toHexString(), name: user?.name },
      ...{ submitted, drafted, published, createdAt, updatedAt, draftText },
      ...(publishedAt === undefined ? {} : { text, publishedAt }),
    },
  };
}

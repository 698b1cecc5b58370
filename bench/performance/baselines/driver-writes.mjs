/**
 * Bare Fastify on the bare MongoDB driver, writing what Pressroom writes: the same cleaning of the
 * HTML, the same words and keys, documents of the same shape, as many writes with `w: majority`. In
 * its favour: no API key, no token, no roles, no checks of what comes in, no revisions to compare.
 */
import fastify from 'fastify';
import mongoose from 'mongoose';
import { cleanHtml, HTML_VERSION } from '../../../dist/blog/html/clean-html.js';
import { dedupeTags, tagKeys, textWords } from '../../../dist/blog/words.js';

const { MongoClient, ObjectId } = mongoose.mongo;
const TITLE_WORDS = 20;
const DESCRIPTION_WORDS = 40;
const COPY = ['title', 'titleWords', 'description', 'descriptionWords', 'slug', 'tags', 'tagKeys'];

const client = await MongoClient.connect(process.env.MONGODB_URI, { w: 'majority' });
const db = client.db();
const blogs = db.collection('blogs');
const { _id: author, name } = await db
  .collection('users')
  .findOne({ _id: new ObjectId(process.env.AUTHOR_ID) });

const app = fastify({ bodyLimit: 1_048_576 });
app.get('/ready', () => 'ready');

app.post('/blog/author', async ({ body }) => {
  const now = new Date();
  const tags = dedupeTags(body.tags);
  const blog = {
    ...stored(body),
    tags,
    tagKeys: tagKeys(tags),
    slug: body.slug,
    slugs: [body.slug],
    submitted: false,
    drafted: true,
    published: false,
    status: true,
    author,
    createdBy: author,
    updatedBy: author,
    score: 0.01,
    rev: 1,
    createdAt: now,
    updatedAt: now,
  };
  await blogs.insertOne(blog);
  return view('blog created successfully', blog);
});

app.put('/blog/author/id/:id', async ({ params, body }) =>
  view(
    'blog updated successfully',
    await change(params.id, { author, submitted: { $ne: true } }, [
      { $set: { ...literals(stored(body)), drafted: true, ...counted() } },
    ]),
  ),
);

app.put('/blog/author/submit/:id', async ({ params }) =>
  view(
    'blog submitted successfully',
    await change(params.id, { author, drafted: true }, [
      { $set: { submitted: true, drafted: false, ...counted() } },
    ]),
  ),
);

app.put('/blog/editor/publish/id/:id', async ({ params }) => {
  const live = Object.fromEntries(COPY.map((field) => [field, `$${field}`]));
  const flags = { submitted: false, drafted: false, published: true };
  const $set = { live: { at: '$$NOW', ...live }, text: '$draftText', publishedAt: '$$NOW' };
  return view(
    'blog published successfully',
    await change(params.id, { submitted: true }, [{ $set: { ...$set, ...flags, ...counted() } }]),
  );
});

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });

function stored({ title, description, draftText }) {
  return {
    title,
    titleWords: textWords(title, TITLE_WORDS),
    description,
    descriptionWords: textWords(description, DESCRIPTION_WORDS),
    draftText: cleanHtml(draftText),
    htmlVersion: HTML_VERSION,
  };
}

function literals(values) {
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => [field, { $literal: value }]),
  );
}

function counted() {
  return { rev: { $add: ['$rev', 1] }, updatedAt: '$$NOW', updatedBy: author };
}

async function change(id, precondition, pipeline) {
  const blog = await blogs.findOneAndUpdate(
    { _id: new ObjectId(id), status: true, ...precondition },
    pipeline,
    { returnDocument: 'after' },
  );
  if (blog === null) throw new Error(`no blog ${id} in that state`);
  return blog;
}

function view(message, blog) {
  const { publishedAt, text } = blog;
  return {
    code: '10000',
    status: 200,
    message,
    data: {
      _id: blog._id.toHexString(),
      title: blog.title,
      description: blog.description,
      slug: blog.slug,
      score: blog.score,
      tags: blog.tags,
      author: { _id: author.toHexString(), name },
      submitted: blog.submitted,
      drafted: blog.drafted,
      published: blog.published,
      createdAt: blog.createdAt,
      updatedAt: blog.updatedAt,
      draftText: blog.draftText,
      ...(publishedAt === undefined ? {} : { text, publishedAt }),
    },
  };
}

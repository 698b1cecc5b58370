/** Writers, each with articles of their own; started by write-loop.mjs. */
import { Connections, Problems } from './agent.mjs';
import { receiveJob, untilBegin } from './job.mjs';

const job = await receiveJob();
const connections = new Connections(job.url, job.connections);
const problems = new Problems();
const latencies = [];
await untilBegin();
const startedAt = performance.now();
const deadline = startedAt + job.seconds * 1_000;
let articles = 0;
await Promise.all(Array.from({ length: job.connections }, writer));
const micros = (performance.now() - startedAt) * 1_000;
process.send({ latencies, micros, problems: { ...problems } });

async function writer() {
  while (performance.now() < deadline && problems.count === 0) {
    articles += 1;
    await writeOne(articles).catch((error) => problems.add(error.message));
  }
}

async function writeOne(number) {
  const { texts, prefix } = job;
  const [first, second] = [texts[number % texts.length], texts[(number + 1) % texts.length]];
  const slug = `${prefix}-${number}`;
  const article = {
    title: `Written under load, number ${number}`,
    description: 'What it costs to write, to edit, to submit and to publish an article.',
    slug,
    tags: ['bench', `batch ${number % 50}`],
  };
  const draft = { slug, drafted: true, submitted: false, published: false };
  const { _id } = await send('POST', '/blog/author', { ...article, draftText: first.html }, draft, {
    draftText: first.cleaned,
  });
  const edit = { title: `${article.title}, edited`, description: article.description };
  const edited = { draftText: second.cleaned };
  await send('PUT', `/blog/author/id/${_id}`, { ...edit, draftText: second.html }, draft, edited);
  const inReview = { slug, drafted: false, submitted: true, published: false };
  await send('PUT', `/blog/author/submit/${_id}`, undefined, inReview, edited);
  const live = { slug, drafted: false, submitted: false, published: true };
  const published = { ...edited, text: second.cleaned };
  await send('PUT', `/blog/editor/publish/id/${_id}`, undefined, live, published);
}

/** @returns `data` of the answer; @throws Error when it is not what it should be */
async function send(method, path, body, state, content) {
  const sentAt = performance.now();
  const answer = await connections.send({
    method,
    path,
    headers: job.headers,
    body: body && JSON.stringify(body),
  });
  latencies.push(performance.now() - sentAt);
  const data = answer.status === 200 ? JSON.parse(answer.body).data : {};
  const expected = Object.entries({ ...state, ...content });
  const wrong = expected.filter(([field, value]) => data[field] !== value).map(([field]) => field);
  if (wrong.length > 0) {
    const said = `${method} ${path}: ${answer.status} ${answer.body.slice(0, 300)}`;
    throw new Error(`${said} (wrong: ${wrong.join(', ')})`);
  }
  return data;
}

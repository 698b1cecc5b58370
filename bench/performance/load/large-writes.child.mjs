/** Writers of large articles; started by mixed-load.mjs. */
import { Connections, Problems } from './agent.mjs';
import { receiveJob, untilBegin } from './job.mjs';

/** How often an article is edited before the next one is created. */
const EDITS = 3;

const job = await receiveJob();
const connections = new Connections(job.url, job.writers);
const problems = new Problems();
const latencies = [];
await untilBegin();
const deadline = performance.now() + job.seconds * 1_000;
let written = 0;
await Promise.all(Array.from({ length: job.writers }, writeAgainAndAgain));
process.send({ latencies, problems: { ...problems } });

async function writeAgainAndAgain() {
  while (performance.now() < deadline && problems.count === 0) {
    await writeOne().catch((error) => problems.add(error.message));
  }
}

async function writeOne() {
  const article = { title: `A large article ${process.pid}`, description: 'Some 100 KB of HTML.' };
  const { _id } = await send('POST', '/blog/author', article);
  for (let edit = 0; edit < EDITS && performance.now() < deadline; edit += 1) {
    await send('PUT', `/blog/author/id/${_id}`, {});
  }
}

async function send(method, path, fields) {
  written += 1;
  // The mark at the end would be missing in a text that was cut.
  const mark = `<p>Written as number ${written}.</p>`;
  const draftText = `${job.texts[written % job.texts.length].html}\n${mark}`;
  const sentAt = performance.now();
  const { status, body } = await connections.send({
    method,
    path,
    headers: job.headers,
    body: JSON.stringify({ ...fields, draftText }),
  });
  latencies.push(performance.now() - sentAt);
  const { message, data } = JSON.parse(body);
  if (status !== 200) throw new Error(`${method} ${path}: ${status} ${message}`);
  if (!data.draftText.endsWith(mark)) throw new Error(`${method} ${path}: the text is cut`);
  return data;
}

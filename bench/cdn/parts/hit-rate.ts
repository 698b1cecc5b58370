import { setTimeout as wait } from 'node:timers/promises';
import { callServer, type Call } from '../../../scripts/support/own-server.ts';
import { startClient } from '../../load/client-process.ts';
import { Connections } from '../../load/connections.ts';
import { readEachOnce } from '../../load/each-once.ts';
import { OPEN_LOOP, type OpenJob, type OpenReport } from '../../load/open-loop.ts';
import { cycled, shuffled } from '../../support/statistics.ts';
import { drawReads, editLive, pathsByKind, type OwnedBlog } from '../content.ts';
import { atLeast, atMost, timesOf, type Finding } from '../../support/findings.ts';
import type { Testbed } from '../testbed.ts';

/** Milliseconds between two edits: an article each second is more than the busiest newsroom publishes. */
const EDIT_MS = 1_000;
const DRAWN_READS = 20_000;
const HIT_RATE = 0.9;
/** Milliseconds after which a change must be shown. */
const SHOWN_MS = 1_000;
const CONNECTIONS = 32;

/**
 * Reads through Varnish, which has a copy of everything, with several API keys, while articles are edited and
 * published, through Varnish as well. Measures the share of the reads that Varnish answers itself.
 */
export async function measureHitRate(testbed: Testbed): Promise<Finding[]> {
  const { edge, content, plan, cpus } = testbed;
  const { readsPerSecond: rate, hitRateSeconds: seconds } = plan;
  const requests = drawReads(content, DRAWN_READS).map((path, at) => ({
    path,
    headers: { 'x-api-key': cycled(content.keys, at), 'accept-encoding': 'gzip' },
  }));
  const job: OpenJob = {
    url: edge.url,
    requests,
    rate,
    seconds,
    warmUpSeconds: 0,
    connections: CONNECTIONS,
    statuses: [200],
  };
  const readers = await startClient<OpenJob, OpenReport>(OPEN_LOOP, job, cpus);
  const paths = Object.values(pathsByKind(content)).flat();
  await readEachOnce({ server: edge, paths, headers: requests[0]?.headers ?? {} });
  const requestsBefore = edge.backendRequests();
  const run = readers.begin();
  const edited = await editFor(testbed, seconds);
  const { latencies, hits, problems } = await run;
  readers.stop();
  if (problems.count > 0) console.error(`a read that failed: ${problems.sample}`);
  await wait(SHOWN_MS);
  const reads = latencies.length;
  const backendRequests = edge.backendRequests() - requestsBefore;
  const count = reads.toLocaleString('en');
  return [
    atLeast(`share of ${count} reads that Varnish answered itself`, hits / reads, HIT_RATE),
    { what: 'articles edited and published meanwhile', measured: String(edited.size) },
    {
      what: 'requests to Pressroom per 1,000 reads',
      measured: ((backendRequests / reads) * 1_000).toFixed(1),
    },
    timesOf(`time of a read, at ${rate} a second`, latencies),
    atMost('reads that failed', problems.count, 0),
    atMost('old titles still shown after 1 s', await countOutdated(testbed, edited), 0),
  ];
}

/** Edits one article after the other. @returns the present titles, by slug */
async function editFor(
  { edge, content }: Testbed,
  seconds: number,
): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>();
  const [apiKey = ''] = content.keys;
  const call: Call = (method, path, options) => callServer(edge.url, apiKey, method, path, options);
  const articles = shuffled(content.articles, 2);
  const startedAt = performance.now();
  for (let number = 0; performance.now() < startedAt + seconds * 1_000; number += 1) {
    const article: OwnedBlog = cycled(articles, number);
    const title = `Edit ${number} of a newsroom`;
    await editLive(call, article, title);
    titles.set(article.slug, title);
    const nextAt = startedAt + (number + 1) * EDIT_MS;
    await wait(Math.max(0, nextAt - performance.now()));
  }
  return titles;
}

/** Counts the articles and the items of lists that Varnish still shows with an old title. */
async function countOutdated(
  { edge, content }: Testbed,
  titles: ReadonlyMap<string, string>,
): Promise<number> {
  const connections = new Connections(edge.url, 4);
  const [apiKey = ''] = content.keys;
  const read = async (path: string) => {
    const { body } = await connections.send({ path, headers: { 'x-api-key': apiKey } });
    return (JSON.parse(body) as { data: never }).data;
  };
  try {
    const articles = await Promise.all(
      [...titles.keys()].map((slug) => read(`/blog/slug/${slug}`)),
    );
    const lists = await Promise.all(pathsByKind(content).list.map(read));
    const shown = [...articles, ...lists.flat()] as { slug: string; title: string }[];
    return shown.filter(({ slug, title }) => (titles.get(slug) ?? title) !== title).length;
  } finally {
    connections.close();
  }
}

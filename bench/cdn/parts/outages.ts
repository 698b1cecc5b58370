import { setTimeout as wait } from 'node:timers/promises';
import { startClient } from '../../load/client-process.ts';
import { Connections } from '../../load/connections.ts';
import {
  OPEN_LOOP,
  type CheckedRequest,
  type OpenJob,
  type OpenReport,
} from '../../load/open-loop.ts';
import { cycled, shuffled } from '../../support/statistics.ts';
import { isInTime, until } from '../../support/timing.ts';
import { editLive, pathsByKind } from '../content.ts';
import { atMost, timesOf, type Finding } from '../../support/findings.ts';
import type { Testbed } from '../testbed.ts';

/** Time for which Varnish may use a copy; so short that all copies are stale when Pressroom is down. */
const PUBLIC_CACHE = '1s';
const READS_PER_SECOND = 200;
const CONNECTIONS = 32;
const DEADLINE_MS = 20_000;
/** Milliseconds for which readers read before an outage: long enough for all copies to become stale. */
const BEFORE_MS = 1_500;
/** Milliseconds for which readers read after an outage. */
const AFTER_MS = 1_000;
const INVALID_KEY_POLL_MS = 50;
const UNKNOWN_KEY = 'a key that nobody has made';
const LONGEST_MS = 4_000;
const RECOVERY_SECONDS = 5;

interface Outage {
  readonly name: string;
  /**
   * Begins the outage. @returns a function that ends the outage, and waits until Pressroom is ready if it was killed
   */
  readonly begin: () => Promise<() => Promise<void> | void>;
  readonly seconds: number;
}

/**
 * Reads everything that Varnish has a copy of, while Pressroom is killed, and while Pressroom or its database hangs.
 * Each read must get the same answer as before.
 * @param refusedKeys keys that were valid once; Varnish refuses them now, and must still do so during an outage
 */
export async function measureOutages(
  testbed: Testbed,
  refusedKeys: readonly string[],
): Promise<Finding[]> {
  const { origin, plan } = testbed;
  await origin.stop();
  await origin.startAgain({ env: { PUBLIC_CACHE } });
  const hang = (what: 'server' | 'database') => () => Promise.resolve(origin.hang(what));
  const kill = async () => {
    await origin.kill();
    return () => origin.startAgain({ env: { PUBLIC_CACHE } });
  };
  const outages: Outage[] = [
    { name: 'Pressroom suspended', begin: hang('server'), seconds: plan.hangSeconds },
    { name: 'MongoDB suspended', begin: hang('database'), seconds: plan.hangSeconds },
    { name: 'Pressroom killed', begin: kill, seconds: plan.deadSeconds },
  ];
  const findings: Finding[] = [];
  for (const outage of outages) {
    findings.push(...(await measureOutage(testbed, outage, [UNKNOWN_KEY, ...refusedKeys])));
  }
  const seconds = await secondsUntilShown(testbed);
  return [
    ...findings,
    atMost('time until an edit is shown after the outages', seconds, RECOVERY_SECONDS, ' s'),
  ];
}

async function measureOutage(
  testbed: Testbed,
  { name, begin, seconds }: Outage,
  invalidKeys: readonly string[],
): Promise<Finding[]> {
  const { edge, cpus } = testbed;
  await untilServed(testbed);
  const job: OpenJob = {
    url: edge.url,
    requests: await requestsOf(testbed),
    rate: READS_PER_SECOND,
    seconds: Infinity,
    warmUpSeconds: 0,
    connections: CONNECTIONS,
    statuses: [200],
    deadlineMs: DEADLINE_MS,
  };
  const readers = await startClient<OpenJob, OpenReport>(OPEN_LOOP, job, cpus);
  const run = readers.begin();
  await wait(BEFORE_MS);
  const end = await begin();
  const accepted = await countAccepted(edge.url, invalidKeys, seconds);
  await end();
  await wait(AFTER_MS);
  readers.endRun();
  const { latencies, problems } = await run;
  readers.stop();
  if (problems.count > 0) console.error(`${name}: ${problems.sample}`);
  const reads = latencies.length.toLocaleString('en');
  return [
    atMost(`${name} for ${seconds} s: failed or wrong reads, of ${reads}`, problems.count, 0),
    timesOf(`${name}: time of a read`, latencies, LONGEST_MS),
    atMost(`${name}: reads answered despite an unknown or refused key`, accepted, 0),
  ];
}

async function purgeAll({ edge, content: { authors } }: Testbed): Promise<void> {
  const tags = ['blogs', ...authors.map(({ id }) => `author-${id}`)];
  const headers = { 'purge-tags': tags.join(' ') };
  const { status } = await fetch(edge.url, { method: 'PURGE', headers });
  if (status !== 200) throw new Error(`Varnish answered the purge by ${status}`);
}

/** Waits until Varnish has noticed that Pressroom is ready: Varnish asks it once a second. */
async function untilServed({ edge, content }: Testbed): Promise<void> {
  const headers = { 'x-api-key': content.keys[0] ?? '' };
  const isServed = async () => {
    // The path is new each time, so Varnish has no copy.
    const path = `/blogs/latest?z=${performance.now()}`;
    return (await fetch(edge.url + path, { headers })).status === 200;
  };
  await until('Varnish to answer', isServed, { withinMs: DEADLINE_MS });
}

/**
 * Reads everything once, so that Varnish has a copy of each answer. Older copies are purged first, because they may
 * be older than the last edit.
 * @returns the reads with their answers
 */
async function requestsOf(testbed: Testbed): Promise<CheckedRequest[]> {
  const { edge, content } = testbed;
  await purgeAll(testbed);
  const connections = new Connections(edge.url, 4);
  try {
    const requests: CheckedRequest[] = [];
    for (const [at, path] of Object.values(pathsByKind(content)).flat().entries()) {
      const headers = { 'x-api-key': cycled(content.keys, at) };
      const { status, body } = await connections.send({ path, headers });
      if (status !== 200) throw new Error(`${path}: ${status} ${body.slice(0, 200)}`);
      requests.push({ path, headers, answer: body });
    }
    return shuffled(requests);
  } finally {
    connections.close();
  }
}

/** Reads with each of the invalid keys for `seconds`. @returns the number of reads that were answered */
async function countAccepted(
  url: string,
  keys: readonly string[],
  seconds: number,
): Promise<number> {
  const connections = new Connections(url, keys.length, DEADLINE_MS);
  const endsAt = performance.now() + seconds * 1_000;
  let accepted = 0;
  const ask = async (key: string) => {
    while (performance.now() < endsAt) {
      const headers = { 'x-api-key': key };
      const answer = await connections.send({ path: '/blogs/latest', headers }).catch(() => null);
      if (answer?.status === 200) accepted += 1;
      await wait(INVALID_KEY_POLL_MS);
    }
  };
  try {
    await Promise.all(keys.map(ask));
  } finally {
    connections.close();
  }
  return accepted;
}

/** @returns the number of seconds after which Varnish shows an edit */
async function secondsUntilShown({ origin, edge, content }: Testbed): Promise<number> {
  const connections = new Connections(edge.url, 1, DEADLINE_MS);
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  const title = `Edited at ${Date.now()}`;
  const [article] = content.articles;
  const headers = { 'x-api-key': content.keys[0] ?? '' };
  try {
    if (!article) throw new Error('there are no articles');
    await editLive(origin.call, article, title);
    const path = `/blog/slug/${article.slug}`;
    const isShown = async () => (await connections.send({ path, headers })).body.includes(title);
    const isSeen = await isInTime(isShown, { withinMs: 2_000 * RECOVERY_SECONDS });
    return isSeen ? seconds() : Infinity;
  } finally {
    connections.close();
  }
}

import { setTimeout as wait } from 'node:timers/promises';
import { Connections } from '../../load/connections.ts';
import { createKey } from '../content.ts';
import { atMost, timesOf, type Finding } from '../../support/findings.ts';
import type { Testbed } from '../testbed.ts';

const PATH = '/blogs/latest';
/** Milliseconds after which a key must be refused: Varnish uses a verdict for two seconds. */
const REFUSED_MS = 3_000;
/** Milliseconds for which a key is still used after it was switched off. */
const WATCHED_MS = 5_000;
const POLL_MS = 20;
/** Longest random pause in milliseconds before a key is switched off, so that its verdict may be of any age. */
const PAUSE_MS = 2_000;

/** Ends keys in use, and measures how long they still work. @returns the findings, and the keys that are refused now */
export async function measureKeys(
  testbed: Testbed,
): Promise<{ findings: Finding[]; refusedKeys: string[] }> {
  const { content, plan, edge } = testbed;
  const connections = new Connections(edge.url, plan.keys + 1);
  const statusOf = async (key: string) =>
    (await connections.send({ path: PATH, headers: { 'x-api-key': key } })).status;
  const numbers = Array.from({ length: plan.keys }, (_, number) => number);
  let isOver = false;
  const validKeyRefusals = countRefusals(
    () => statusOf(content.keys[0] ?? ''),
    () => isOver,
  );
  try {
    const ends = await Promise.all(numbers.map((number) => endKey(testbed, number, statusOf)));
    isOver = true;
    const times = ends.map(({ acceptedMs }) => acceptedMs);
    return {
      findings: [
        timesOf('time until a disabled or deleted API key is refused', times, REFUSED_MS),
        atMost('refusals of a valid key meanwhile', await validKeyRefusals, 0),
      ],
      refusedKeys: ends.map(({ key }) => key),
    };
  } finally {
    isOver = true;
    connections.close();
  }
}

/**
 * Creates a key, reads with it again and again, and disables or deletes it after a random time.
 * @returns the key, and the milliseconds after its end at which it was last accepted
 */
async function endKey(
  { origin, content: { admin } }: Testbed,
  number: number,
  statusOf: (key: string) => Promise<number>,
) {
  const { _id, key } = await createKey(origin.call, admin);
  const pauseUntil = performance.now() + Math.random() * PAUSE_MS;
  do {
    const status = await statusOf(key);
    if (status !== 200) throw new Error(`a new API key was answered by ${status}`);
    await wait(POLL_MS);
  } while (performance.now() < pauseUntil);
  const path = `/admin/apikeys/id/${_id}`;
  if (number % 2 === 0) await origin.call('PUT', path, { token: admin, body: { enabled: false } });
  else await origin.call('DELETE', path, { token: admin });
  const endedAt = performance.now();
  // The loop continues after a refusal: without a copy Varnish asks Pressroom, which refuses the read; with a copy,
  // Varnish may still answer the next read.
  let acceptedMs = 0;
  for (let elapsed = 0; elapsed < WATCHED_MS; elapsed = performance.now() - endedAt) {
    const isAccepted = (await statusOf(key)) === 200;
    if (isAccepted) acceptedMs = performance.now() - endedAt;
    await wait(POLL_MS);
  }
  return { key, acceptedMs };
}

async function countRefusals(status: () => Promise<number>, isOver: () => boolean) {
  let refusals = 0;
  while (!isOver()) {
    if ((await status()) !== 200) refusals += 1;
    await wait(POLL_MS);
  }
  return refusals;
}

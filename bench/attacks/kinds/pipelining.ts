/** Many requests in one write, by clients that read no answer. */
import type { Attack } from '../attacks.ts';
import { cutWithin, heapGrowth, liveMax, rssGrowth } from '../bars.ts';
import { HELD_CONNECTIONS, type HeldJob } from './held-connections.ts';
import { KEY_HEADER } from './senders.ts';

const CONNECTIONS = 200;
/** An unknown parameter: the answer, with 100 articles, does not come from the cache. */
const REQUEST = [
  'GET /blogs/latest?limit=100&z=1 HTTP/1.1',
  'host: attack.example',
  `x-api-key: ${KEY_HEADER['x-api-key']}`,
  '',
  '',
].join('\r\n');
/** More than Node reads from a connection at a time (64 KiB). */
const MANY = 764;
/** As many as one connection may have under way: one that runs and 64 that wait. */
const ALLOWED = 65;

/** @param requests how many each connection sends */
const burstOf = (requests: number): HeldJob => ({
  count: CONNECTIONS,
  kinds: [{ first: Buffer.from(REQUEST.repeat(requests)) }],
  isReading: false,
});

/** More than a connection may send: it is cut at once. */
export const REFUSED_BURST = burstOf(MANY);

/** @param job what the connections send */
const attackOf = (name: string, job: HeldJob, more: Attack['bars']): Attack => ({
  name,
  module: HELD_CONNECTIONS,
  rounds: { full: 3, short: 1 },
  seconds: { full: 8, short: 4 },
  // The short form does not wait for a reader's time to run out.
  patienceSeconds: { full: 60, short: 5 },
  job: () => job,
  bars: (form) => [rssGrowth(250), heapGrowth(40), ...more(form)],
});

export const ATTACKS = [
  attackOf('pipelining', REFUSED_BURST, () => [liveMax(100), cutWithin(5)]),
  // 13,000 lists are made, as they are for honest clients: how long that takes has no bar.
  attackOf('pipelining-allowed', burstOf(ALLOWED), (form) =>
    form === 'short' ? [] : [cutWithin(40)],
  ),
];

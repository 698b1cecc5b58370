/** Attacks by clients that hold connections open. Some of the clients read no answer. */
import type { Attack } from '../attack.ts';
import {
  cutWithin,
  heapGrowth,
  liveMax,
  readerP99,
  readsFailed,
  rssGrowth,
} from '../thresholds.ts';
import { HELD_CONNECTIONS, type HeldJob } from './held-connections.ts';
import { KEY_HEADER } from './senders.ts';

const MIB = 1_024 ** 2;
const WITH_KEY = [`x-api-key: ${KEY_HEADER['x-api-key']}`];
/** Asks for a list of 100 articles. The response cache does not answer requests with an unknown query parameter. */
const LONG_LIST = headOf('GET /blogs/latest?limit=100&z=1', WITH_KEY);
/** Number of requests that together are longer than the 64 KiB that Node reads from a connection at a time. */
const REFUSED_REQUESTS = 764;
/** Largest number of requests that one connection may have pending: one that runs and 64 that wait. */
const ALLOWED_REQUESTS = 65;

function headOf(request: string, lines: readonly string[]): string {
  return [`${request} HTTP/1.1`, 'host: attack.example', ...lines, '', ''].join('\r\n');
}

function headOfPost(bytes: number, lines: readonly string[]): string {
  const bodyLines = ['content-type: application/json', `content-length: ${bytes}`];
  return headOf('POST /contact', [...lines, ...bodyLines]);
}

/**
 * Many requests in one write, by clients that read no answer.
 * @param requests number of requests that each connection sends
 */
const burstOf = (requests: number): HeldJob => ({
  count: 200,
  kinds: [{ first: Buffer.from(LONG_LIST.repeat(requests)) }],
  isReading: false,
});

/** A burst of more requests than a connection may send. The server cuts the connection at once. */
export const REFUSED_BURST = burstOf(REFUSED_REQUESTS);

/** Uploads by clients without a key, who announce a body, send most of it and then nothing. */
const STALLED_UPLOADS: HeldJob = {
  count: 500,
  kinds: [{ first: Buffer.from(headOfPost(MIB, []) + ' '.repeat(900 * 1_024)) }],
  isReading: true,
};

/** Connections that send a byte a second, or nothing at all ("slow loris"). */
const SLOW_CONNECTIONS: HeldJob = {
  count: 1_000,
  kinds: [
    {
      name: 'headers',
      first: 'GET /blogs/latest HTTP/1.1\r\nhost: slow.example\r\nx-slow: ',
      isDripping: true,
    },
    // The length is below the limit of the route, or the request would be refused at once.
    { name: 'body', first: `${headOfPost(10_000, WITH_KEY)}{`, isDripping: true },
    { name: 'silence', first: '' },
  ],
  isReading: true,
};

type Options = Pick<Attack, 'thresholds'> & Partial<Pick<Attack, 'seconds' | 'patienceSeconds'>>;

const attackOf = (name: string, job: HeldJob, options: Options): Attack => ({
  name,
  module: HELD_CONNECTIONS,
  rounds: { full: 3, short: 1 },
  seconds: { full: 8, short: 4 },
  job: () => job,
  ...options,
});

export const ATTACKS: readonly Attack[] = [
  attackOf('pipelining', REFUSED_BURST, {
    patienceSeconds: { full: 60, short: 5 },
    thresholds: () => [rssGrowth(250), heapGrowth(40), liveMax(100), cutWithin(5)],
  }),
  attackOf('pipelining-allowed', burstOf(ALLOWED_REQUESTS), {
    // The short form does not wait until the timeout after which the server cuts clients that read nothing.
    patienceSeconds: { full: 60, short: 5 },
    // The server answers all 13,000 requests for lists, as it does for honest clients, so latency has no threshold.
    thresholds: (form) => [
      rssGrowth(250),
      heapGrowth(40),
      ...(form === 'short' ? [] : [cutWithin(40)]),
    ],
  }),
  attackOf('stalled-uploads', STALLED_UPLOADS, {
    patienceSeconds: { full: 30, short: 4 },
    thresholds: () => [rssGrowth(50)],
  }),
  attackOf('slow-connections', SLOW_CONNECTIONS, {
    // The server cuts the first connections after ten seconds, so all of them are open during the round.
    seconds: { full: 10, short: 4 },
    patienceSeconds: { full: 40, short: 40 },
    thresholds: () => [readerP99, readsFailed, cutWithin(20), rssGrowth(100)],
  }),
];

/** A thousand connections that send a byte a second, or nothing at all ("slow loris"). */
import type { Attack } from '../attacks.ts';
import { cutWithin, readerP99, readsFailed, rssGrowth } from '../bars.ts';
import { HELD_CONNECTIONS, type HeldJob, type Sent } from './held-connections.ts';
import { KEY_HEADER } from './senders.ts';

const CONNECTIONS = 1_000;
/** Less than the route allows, or it would be refused at once. */
const ANNOUNCED_BYTES = 10_000;
const HEAD_OF_BODY = [
  'POST /contact HTTP/1.1',
  'host: slow.example',
  `x-api-key: ${KEY_HEADER['x-api-key']}`,
  'content-type: application/json',
  `content-length: ${ANNOUNCED_BYTES}`,
  '',
  '',
].join('\r\n');

const KINDS: readonly Sent[] = [
  {
    name: 'headers',
    first: 'GET /blogs/latest HTTP/1.1\r\nhost: slow.example\r\nx-slow: ',
    isDripping: true,
  },
  { name: 'body', first: `${HEAD_OF_BODY}{`, isDripping: true },
  { name: 'silence', first: '' },
];

export const ATTACKS: Attack[] = [
  {
    name: 'slow-connections',
    module: HELD_CONNECTIONS,
    rounds: { full: 3, short: 1 },
    // All of them are there: the first are cut after ten seconds.
    seconds: { full: 10, short: 4 },
    patienceSeconds: { full: 40, short: 40 },
    job: (): HeldJob => ({ count: CONNECTIONS, kinds: KINDS, isReading: true }),
    bars: () => [readerP99, readsFailed, cutWithin(20), rssGrowth(100)],
  },
];

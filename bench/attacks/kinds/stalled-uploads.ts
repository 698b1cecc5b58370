/** Uploads of people without a key, who announce a body, send most of it and then nothing. */
import type { Attack } from '../attacks.ts';
import { rssGrowth } from '../bars.ts';
import { HELD_CONNECTIONS, type HeldJob } from './held-connections.ts';

const CONNECTIONS = 500;
const ANNOUNCED_BYTES = 1_024 ** 2;
const SENT_BYTES = 900 * 1_024;
const HEAD = [
  'POST /contact HTTP/1.1',
  'host: attack.example',
  'content-type: application/json',
  `content-length: ${ANNOUNCED_BYTES}`,
  '',
  '',
].join('\r\n');
const KINDS = [{ first: Buffer.from(HEAD + ' '.repeat(SENT_BYTES)) }];

export const ATTACKS: Attack[] = [
  {
    name: 'stalled-uploads',
    module: HELD_CONNECTIONS,
    rounds: { full: 3, short: 1 },
    seconds: { full: 8, short: 4 },
    patienceSeconds: { full: 30, short: 4 },
    job: (): HeldJob => ({ count: CONNECTIONS, kinds: KINDS, isReading: true }),
    bars: () => [rssGrowth(50)],
  },
];

/** Uploads of people without a key, who announce a body, send most of it and then nothing. */
import type { Run } from '../../load/client-process.ts';
import type { Attack } from '../attacks.ts';
import { rssGrowth } from '../bars.ts';
import type { AttackReport } from '../figures.ts';
import { holdConnections } from './held-connections.ts';

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

export const ATTACKS: Attack[] = [
  {
    name: 'stalled-uploads',
    module: import.meta.url,
    rounds: { full: 3, short: 1 },
    seconds: { full: 8, short: 4 },
    patienceSeconds: { full: 30, short: 4 },
    job: () => ({}),
    bars: () => [rssGrowth(50)],
  },
];

export function client({ url }: { url: string }): Run<AttackReport> {
  const kinds = [{ first: Buffer.concat([Buffer.from(HEAD), Buffer.alloc(SENT_BYTES, ' ')]) }];
  return (_, over) => holdConnections({ url, count: CONNECTIONS, kinds, isReading: true }, over);
}

/** Uploads of people without a key, who announce a body, send most of it and then nothing. */
import { rssGrowth } from '../bars.mjs';
import { holdSockets } from '../sockets.mjs';

const CONNECTIONS = 500;
const ANNOUNCED_BYTES = 1_024 ** 2;
const SENT_BYTES = 900 * 1_024;
const HEAD = [
  'POST /contact HTTP/1.1',
  'host: door.example',
  'content-type: application/json',
  `content-length: ${ANNOUNCED_BYTES}`,
  '',
  '',
].join('\r\n');

export const ATTACKS = [
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

export function attack({ url }, over) {
  const first = Buffer.concat([Buffer.from(HEAD), Buffer.alloc(SENT_BYTES, ' ')]);
  return holdSockets({ url, count: CONNECTIONS, first, isReading: true }, over);
}

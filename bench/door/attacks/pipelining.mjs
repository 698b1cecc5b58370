/** Many requests in one write, by clients that read no answer. */
import { CREDENTIALS } from '../../../scripts/support/own-server.ts';
import { cutWithin, heapGrowth, liveMax, rssGrowth } from '../bars.mjs';
import { holdSockets } from '../sockets.mjs';

const CONNECTIONS = 200;
/** An unknown parameter: the answer, with 100 articles, does not come from memory. */
const REQUEST = [
  'GET /blogs/latest?limit=100&z=1 HTTP/1.1',
  'host: door.example',
  `x-api-key: ${CREDENTIALS.apiKey}`,
  '',
  '',
].join('\r\n');
/** About 64 KiB, as much as Node reads from a connection at a time. */
const MANY = 764;
/** As many as one connection may have under way: one that runs and 64 that wait. */
const ALLOWED = 65;

const attackOf = (name, requests, more) => ({
  name,
  module: import.meta.url,
  rounds: { full: 3, short: 1 },
  seconds: { full: 8, short: 4 },
  // The short form does not wait for a reader's time to run out.
  patienceSeconds: { full: 60, short: 5 },
  job: () => ({ requests }),
  bars: ({ isShort }) => [rssGrowth(250), heapGrowth(40), ...more({ isShort })],
});

export const ATTACKS = [
  attackOf('pipelining', MANY, () => [liveMax(100), cutWithin(5)]),
  // 13,000 lists are made, as they are for honest clients: how long that takes has no bar.
  attackOf('pipelining-allowed', ALLOWED, ({ isShort }) => (isShort ? [] : [cutWithin(40)])),
];

export function attack({ url, requests }, over) {
  const first = Buffer.from(REQUEST.repeat(requests));
  return holdSockets({ url, count: CONNECTIONS, first, isReading: false }, over);
}

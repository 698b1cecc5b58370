/** A server of Node that refuses every request, as an overloaded Pressroom does; started by refusals-alone.ts. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WorkOrder } from './refusals-alone.ts';

const TURN_MS = 20;
const BODY = JSON.stringify({
  code: '10002',
  message: 'the server is overloaded: try again in a moment',
  reason: 'overloaded',
});
const HEADERS = {
  'x-request-id': '6b08fe017821313fb59be8a2',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(BODY)),
  'retry-after': '1',
};

let requests = 0;
const server = createServer((_request, response) => {
  requests += 1;
  response.writeHead(503, HEADERS).end(BODY);
});
server.keepAliveTimeout = 72_000;
await once(server.listen(0, '127.0.0.1'), 'listening');
process.on('disconnect', () => process.exit());
process.on('message', (order: WorkOrder) => void workFor(order));
process.send?.((server.address() as AddressInfo).port);

/** Keeps the event loop busy in turns, and reports how much it got done, a second. */
async function workFor({ milliseconds, afterRequests }: WorkOrder): Promise<void> {
  const from = requests + afterRequests;
  while (requests < from) await once(server, 'request');
  const startedAt = performance.now();
  let units = 0;
  while (performance.now() < startedAt + milliseconds) {
    for (const endsAt = performance.now() + TURN_MS; performance.now() < endsAt;) units += unit();
    await new Promise(setImmediate);
  }
  process.send?.((1_000 * units) / (performance.now() - startedAt));
}

/** Some work, so that none of it can be left out. @returns 1 */
function unit(): number {
  let sum = 0;
  for (let at = 0; at < 100_000; at += 1) sum += at % 7;
  return sum > 0 ? 1 : 0;
}

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

/**
 * Works in turns of the event loop, and reports which share of the time that was: the rest went to what was
 * refused between two turns. Both are of the same seconds, because the speed of the machine changes.
 */
async function workFor({ milliseconds, afterRequests }: WorkOrder): Promise<void> {
  const from = requests + afterRequests;
  while (requests < from) await once(server, 'request');
  const startedAt = performance.now();
  let worked = 0;
  while (performance.now() < startedAt + milliseconds) {
    const turnAt = performance.now();
    while (performance.now() < turnAt + TURN_MS);
    worked += performance.now() - turnAt;
    await new Promise(setImmediate);
  }
  process.send?.(worked / (performance.now() - startedAt));
}

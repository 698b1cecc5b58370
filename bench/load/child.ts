/** The main module of a client's process, which client-process.ts starts. */
import { once } from 'node:events';
import { tryRenice } from '../support/machine/processes.ts';
import type { Client, Order, Start } from './client-process.ts';

process.on('disconnect', () => process.exit());

const [{ module, priority, job }] = (await once(process, 'message')) as [Start];
// Only root may raise the priority. If it is not raised, the client sends some requests late, and reports how late.
tryRenice(0, priority);
const { client } = (await import(module)) as { client: Client<unknown, unknown> };
const run = await client(job);
let over = Promise.withResolvers<void>();
process.on('message', (message: Order | 'over') => {
  if (message === 'over') over.resolve();
  else void runOnce(message);
});
process.send?.('ready');

async function runOnce(order: Order): Promise<void> {
  over = Promise.withResolvers();
  process.send?.(await run(order, over.promise));
}

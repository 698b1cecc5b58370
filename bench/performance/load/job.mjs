/** What a process of a load and its parent (open-loop.mjs) say to each other. */
import { once } from 'node:events';

process.on('disconnect', () => process.exit());

/** What to do, from the parent. */
export async function receiveJob() {
  const [job] = await once(process, 'message');
  return job;
}

/** Tells the parent that this process is warm, and waits to be told to begin. */
export async function untilBegin() {
  process.send('ready');
  await once(process, 'message');
}

/** What a process of a load and its parent (open-loop.mjs) say to each other. */
import { once } from 'node:events';

process.on('disconnect', () => process.exit());

/** What to do, from the parent. */
export async function receiveJob() {
  const [job] = await once(process, 'message');
  return job;
}

/** Tells the parent that this process is warm. @returns what it is told when it is to begin */
export function untilBegin() {
  process.send('ready');
  return untilTold();
}

/** @returns the next message of the parent: how to begin again, or that it is enough */
export async function untilTold() {
  const [message] = await once(process, 'message');
  return message;
}

import type { mongo } from 'mongoose';
import { until } from '../time/wait.js';

/** Waits until MongoDB has opened a stream that is read: it reports what is written from now on. */
export async function untilOpen(stream: mongo.ChangeStream): Promise<void> {
  // The driver has null until then.
  await until('the stream is open', () => Boolean(stream.resumeToken));
}

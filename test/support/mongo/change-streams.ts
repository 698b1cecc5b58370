import type { mongo } from 'mongoose';
import { until } from '../time/wait.js';

/** Waits until MongoDB has opened the stream. From then on, the stream reports all writes. */
export async function untilOpen(stream: mongo.ChangeStream): Promise<void> {
  // Before that, the driver's token is null.
  await until('the stream is open', () => Boolean(stream.resumeToken));
}

import type { mongo } from 'mongoose';
import { until } from '../time/wait.js';

/** Waits until MongoDB has opened the stream. From then on, the stream reports all writes. */
export async function untilOpen(stream: mongo.ChangeStream): Promise<void> {
  // Before the stream is open, its resume token is null.
  await until('the stream is open', () => Boolean(stream.resumeToken));
}

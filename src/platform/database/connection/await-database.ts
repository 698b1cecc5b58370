import { setTimeout as wait } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import mongoose from 'mongoose';
import { OperatorError } from '../../config/operator.error.js';
import { explainConnectionError } from './connection-error.js';

/** Number of connection attempts at a start. With the pauses between them they take up to 72 seconds. */
const ATTEMPTS = 15;
/** Pause between two attempts, in milliseconds. */
const RETRY_DELAY_MS = 3_000;
/** Timeout of one attempt, in milliseconds. */
const ATTEMPT_MS = 2_000;

/** Timeout of the only attempt of a script, in milliseconds. It is longer to allow for a slow database. */
const ONLY_ATTEMPT_MS = 5_000;

/**
 * Waits until the database accepts connections.
 *
 * @param options `once`: whether to make a single attempt, as scripts do
 * @throws OperatorError after the last attempt, and at once for an error that waiting cannot
 *   resolve
 */
export async function awaitDatabase(
  uri: string,
  { once }: { readonly once: boolean },
): Promise<void> {
  const logger = new Logger('Database');
  for (let attempt = 1; ; attempt += 1) {
    try {
      await connectOnce(uri, once ? ONLY_ATTEMPT_MS : ATTEMPT_MS);
      return;
    } catch (error) {
      const { message, isFinal } = explainConnectionError(error);
      if (isFinal || once || attempt === ATTEMPTS) {
        throw new OperatorError(message, { cause: error });
      }
      logger.warn(`${message} Retrying (${attempt} of ${ATTEMPTS - 1}) …`);
      await wait(RETRY_DELAY_MS);
    }
  }
}

async function connectOnce(uri: string, serverSelectionTimeoutMS: number): Promise<void> {
  const client = await mongoose.mongo.MongoClient.connect(uri, { serverSelectionTimeoutMS });
  await client.close();
}

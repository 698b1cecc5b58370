import { RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import type { Connection } from 'mongoose';
import type { Rate } from '../config/values/rate.js';

/**
 * Counters in the collection `rate_limits`. All processes share them, and they survive a restart.
 *
 * @param name prefix of every key; it names what is counted
 */
export function countersOf(connection: Connection, name: string, rate: Rate): RateLimiterMongo {
  return new RateLimiterMongo({
    storeClient: connection.getClient(),
    dbName: connection.name,
    tableName: 'rate_limits',
    keyPrefix: name,
    points: rate.count,
    duration: rate.seconds,
    // The schema declares the indexes, and migrations create them.
    disableIndexesCreation: true,
  });
}

/**
 * Adds one to the counter of the key.
 *
 * @param seconds length of the window, if this call opens one; the window of the rate when left out
 * @returns null within the limit; above it, milliseconds until the window ends
 * @throws what the database throws
 */
export async function consume(
  counters: RateLimiterMongo,
  key: string,
  seconds?: number,
): Promise<number | null> {
  // The library's types for this option omit customDuration.
  const options = { attrs: {}, ...(seconds === undefined ? {} : { customDuration: seconds }) };
  try {
    await counters.consume(key, 1, options);
    return null;
  } catch (error) {
    // The library rejects with a RateLimiterRes when the limit is exceeded.
    if (error instanceof RateLimiterRes) return error.msBeforeNext;
    throw error;
  }
}

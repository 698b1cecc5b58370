import { RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import type { Connection } from 'mongoose';
import type { Rate } from '../config/values/rate.js';

/**
 * A family of counters in `rate_limits`: they hold across processes and restarts.
 *
 * @param name what is counted; begins every key
 */
export function countersOf(connection: Connection, name: string, rate: Rate): RateLimiterMongo {
  return new RateLimiterMongo({
    storeClient: connection.getClient(),
    dbName: connection.name,
    tableName: 'rate_limits',
    keyPrefix: name,
    points: rate.count,
    duration: rate.seconds,
    // They are declared in the schema and come with the migrations.
    disableIndexesCreation: true,
  });
}

/**
 * Counts one.
 *
 * @param seconds length of the window, if it is this one that opens it and not the family's own
 * @returns how long to wait in milliseconds when the count is used up, else null
 * @throws what the database throws
 */
export async function consume(
  counters: RateLimiterMongo,
  key: string,
  seconds?: number,
): Promise<number | null> {
  // The types of the library leave customDuration out here.
  const options = { attrs: {}, ...(seconds === undefined ? {} : { customDuration: seconds }) };
  try {
    await counters.consume(key, 1, options);
    return null;
  } catch (error) {
    // The library rejects with a result for "used up" and with an error for anything else.
    if (error instanceof RateLimiterRes) return error.msBeforeNext;
    throw error;
  }
}

import type { ClientSession } from 'mongoose';

/**
 * Options for a write in a transaction.
 *
 * @param transaction the session from DatabaseService.transaction; null on a standalone
 */
export function inTransaction(transaction: ClientSession | null): { session?: ClientSession } {
  return transaction ? { session: transaction } : {};
}

import type { ClientSession } from 'mongoose';

/**
 * Options that make a write part of a transaction.
 *
 * @param transaction the session that `DatabaseService.transaction` passes; null on a standalone
 */
export function inTransaction(transaction: ClientSession | null): { session?: ClientSession } {
  return transaction ? { session: transaction } : {};
}

import type { ClientSession } from 'mongoose';

/**
 * The option with which a write joins a transaction.
 *
 * @param transaction as DatabaseService.transaction hands it out: null on a standalone
 */
export function inTransaction(transaction: ClientSession | null): { session?: ClientSession } {
  return transaction ? { session: transaction } : {};
}

import { createHash } from 'node:crypto';

/** 48 bits are an exact number in JavaScript, and a false match among a million is unlikely. */
const HASH_BYTES = 6;

/**
 * A set of texts that keeps some 40 bytes of each, however long they are: what a migration asks
 * about every record of a collection must not hold the collection. A text that was never added may,
 * very rarely, be taken for one that was; one that was added is always found.
 */
export class KeySet {
  private readonly hashes = new Set<number>();

  /** @returns false when the text was there, or seems to have been */
  add(text: string): boolean {
    const size = this.hashes.size;
    this.hashes.add(hash(text));
    return this.hashes.size > size;
  }

  has(text: string): boolean {
    return this.hashes.has(hash(text));
  }
}

function hash(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, HASH_BYTES);
}

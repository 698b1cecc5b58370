import { createHash } from 'node:crypto';

/**
 * Bytes of a hash: 48 bits fit exactly into a JavaScript number, and collisions among a million
 * texts are unlikely.
 */
const HASH_BYTES = 6;

/**
 * A set of texts that stores hashes, about 40 bytes for each text of any length, so that a migration
 * can look up values of a whole collection. A false positive is possible but very rare; there are no
 * false negatives.
 */
export class KeySet {
  private readonly hashes = new Set<number>();

  /** @returns false when the set contained the text before, or a hash collision occurred */
  add(text: string): boolean {
    const size = this.hashes.size;
    this.hashes.add(hash(text));
    return this.hashes.size > size;
  }
}

function hash(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, HASH_BYTES);
}

import { createHash } from 'node:crypto';

/** Bytes of a hash. A JavaScript number represents every 48-bit integer; a million texts are unlikely to collide. */
const HASH_BYTES = 6;

/**
 * A set of texts that stores only their hashes, about 40 bytes for each text, so that a migration can look
 * for duplicates in a whole collection. Very rarely, a new text counts as contained (a hash collision); a
 * contained text never counts as new.
 */
export class KeySet {
  private readonly hashes = new Set<number>();

  /** @returns false when the set contained the text before, or a text with the same hash */
  add(text: string): boolean {
    const size = this.hashes.size;
    this.hashes.add(hash(text));
    return this.hashes.size > size;
  }
}

function hash(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, HASH_BYTES);
}

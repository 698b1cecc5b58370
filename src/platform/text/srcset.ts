/** A picture of a `srcset`. */
export interface PictureCandidate {
  readonly address: string;
  /** The width or density, such as `300w` or `2x`; '' for none. */
  readonly descriptor: string;
}

/** A comma ends an address only at the end of a word, but a descriptor everywhere. */
const CANDIDATE = /([^\s,](?:\S*[^\s,])?)(?:,+(?!\S)|\s+([^,]*)|$)/g;

/** Splits a `srcset` as browsers do. The time is linear. Worker threads import this file. */
export function srcsetCandidates(value: string): PictureCandidate[] {
  return Array.from(value.matchAll(CANDIDATE), ([, address = '', descriptor = '']) => ({
    address,
    descriptor: descriptor.trim(),
  }));
}

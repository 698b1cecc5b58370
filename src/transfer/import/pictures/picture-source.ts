import type { Readable } from 'node:stream';

/** The file of a picture that an article shows. */
export interface FoundPicture {
  /** Tells it from the other pictures of the source, and is the same in each run: its path, or its address. */
  readonly key: string;
  /** Its name, with or without an ending. */
  readonly name: string;
  /** @throws Error that says why it cannot be read, as the end of a sentence */
  open(): Promise<Readable>;
}

/** The files of a source among which pictures are. */
export interface PictureSource {
  /**
   * Finds the file to which an address in an article leads; null if it is not among them.
   *
   * @param address as the article has it
   */
  find(address: string, article: { readonly source: string }): Promise<FoundPicture | null>;
  close(): void;
}

/** Why a picture was not taken, as the end of a sentence. */
export class PictureTrouble extends Error {}

/** The name of a file in a path or an address. */
export function lastPartOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

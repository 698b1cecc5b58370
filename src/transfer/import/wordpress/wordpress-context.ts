/** A file of the media library. */
export interface Attachment {
  readonly url: string;
  readonly alt: string;
  /** HTML. */
  readonly caption: string;
}

export type ShortcodeAttributes = Readonly<Record<string, string>>;

/** What the file holds outside the text of an article, and the text refers to. */
export interface WordpressContext {
  /** The files of the media library by their ids. */
  readonly attachments: ReadonlyMap<string, Attachment>;
  /** The files that were uploaded to the article. */
  readonly uploads: readonly Attachment[];
  /** The contents of reusable blocks by their ids. */
  readonly blocks: ReadonlyMap<string, string>;
  /** The fields of the article, such as those that its footnotes are in. */
  readonly meta: Readonly<Record<string, readonly string[]>>;
}

export const NO_CONTEXT: WordpressContext = {
  attachments: new Map(),
  uploads: [],
  blocks: new Map(),
  meta: {},
};

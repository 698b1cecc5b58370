import type { Heading } from '../links/heading-ids.js';
import type { ReportLine } from '../import-report.js';
import type { PictureSource } from '../pictures/picture-source.js';

/** The reason of an article that is an ordinary draft in its source. Such drafts are only counted. */
export const PLAIN_DRAFT = 'a draft there';

/** An article as it was read from a source. Nothing of it is checked or cleaned yet. */
export interface ImportedArticle {
  /** Names the article in the report: a file, or the kind and the id. */
  readonly source: string;
  /**
   * The identity of the article, by which a later run recognises it: it is the same in each run, and
   * no other article has it.
   */
  readonly identity: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly html: string;
  readonly slug: string | null;
  readonly tags: readonly string[];
  /** The address of its picture. If the import takes the picture, it becomes the cover. */
  readonly imgUrl: string | null;
  /** What the article says of this picture to those who do not see it. */
  readonly imgAlt?: string | null;
  /**
   * Why readers of the source do not see the article, in words of the report, or PLAIN_DRAFT; null for
   * an article that they see. Everything else becomes a draft.
   */
  readonly hidden: string | null;
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
  readonly publishedAt: Date | null;
  /** Its authors. The first one becomes its author. */
  readonly authors: readonly SourceAuthor[];
  /** The URL that its relative links and images are relative to; null keeps them as they are. */
  readonly base: string | null;
  /** URLs and paths by which it was known on its former site. */
  readonly addresses?: readonly string[];
  /** Its headings, if the text is left out. */
  readonly headings?: readonly Heading[];
  /** Whether its headings get the ids that site generators make of their texts. */
  readonly givesIds?: boolean;
  /** Notes about what was changed or left out when the article was read. */
  readonly notes: readonly string[];
}

/** Why an article cannot be imported. */
export interface Refusal {
  readonly reason: string;
}

export interface SourceAuthor {
  /** What the source calls the author, such as a login name; null if it has no such name. */
  readonly key: string | null;
  readonly name: string | null;
  readonly email: string | null;
}

/** Who the authors of articles are: their names and addresses by what the articles call them. */
export interface AuthorsFile {
  /** The file or folder, as the report names it. */
  readonly path: string;
  /** @returns null for an author whom the file does not name */
  find(author: SourceAuthor): SourceAuthor | null;
}

/**
 * An item of a source: an article, an article that cannot be imported, something of a kind that is
 * only counted, or a note on the source itself for the operator.
 */
export type SourceItem =
  | { readonly article: ImportedArticle }
  | { readonly skipped: ReportLine }
  | { readonly counted: string }
  | { readonly noted: ReportLine };

/** How a source is read. */
export interface SourceOptions {
  /** URL of the site; null if it is not given. */
  readonly baseUrl: string | null;
  /** Whether pages become articles. */
  readonly pages: boolean;
}

export interface ItemOptions {
  /** Whether the texts and descriptions are not needed, and may be left out. */
  readonly headsOnly?: boolean;
  /** The language of the site; null if it is not known. */
  readonly language?: string | null;
}

/** A folder or a file with articles. */
export interface ArticleSource {
  /** Number of articles, skipped ones included. */
  readonly total: number;
  /** The authors that were found beside the articles; null for none. */
  readonly authors?: AuthorsFile | null;
  /** URLs of the site that it was made for. */
  readonly sites?: readonly (string | null)[];
  /** Opens the files among which pictures of its articles are; null if there are none. */
  pictures?(): Promise<PictureSource | null>;
  items(options?: ItemOptions): AsyncIterable<SourceItem>;
}

import type { OptionalField } from '../../../blog/core/blog-fields.js';
import type { ReportLine } from '../import-report.js';

/**
 * An article as a reader of a source has found it; nothing of it is checked or cleaned yet. An optional field is
 * null if the article lacks it, or the source has no such field.
 */
export interface ImportedArticle extends Readonly<Record<OptionalField, string | null>> {
  /** Names the article in the report: a file, or the kind and the id. */
  readonly source: string;
  /** The same in each run, and for no other article: by it a later run knows what is there already. */
  readonly identity: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly html: string;
  readonly slug: string | null;
  readonly tags: readonly string[];
  readonly isPublished: boolean;
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
  readonly publishedAt: Date | null;
  readonly author: SourceAuthor | null;
  /** The URL that its relative links and images are relative to; null keeps them as they are. */
  readonly base: string | null;
  /** What the reader had to change or leave out. */
  readonly notes: readonly string[];
}

export interface SourceAuthor {
  readonly name: string | null;
  readonly email: string | null;
}

/**
 * What a source holds: an article, one that cannot be imported, something of a kind that is only counted, or
 * what the operator should know of the source itself.
 */
export type SourceItem =
  | { readonly article: ImportedArticle }
  | { readonly skipped: ReportLine }
  | { readonly counted: string }
  | { readonly noted: ReportLine };

/** A folder or a file with articles. */
export interface ArticleSource {
  /** How many articles and skipped ones it holds. */
  readonly total: number;
  items(): AsyncIterable<SourceItem>;
}

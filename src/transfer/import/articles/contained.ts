import type { Refusal, SourceItem } from './imported-article.js';

/** Reads an article. What fails is the article: it is skipped, and the import goes on. */
export function contained(source: string, read: () => SourceItem): SourceItem {
  try {
    return read();
  } catch (error) {
    return { skipped: { source, ...refusalOf(error) } };
  }
}

/** The refusal of an article whose conversion has failed. */
export function refusalOf(error: unknown): Refusal {
  return { reason: `it cannot be converted: ${(error as Error).message}` };
}

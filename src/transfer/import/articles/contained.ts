import type { SourceItem } from './imported-article.js';

/** Reads an article. What fails is the article: it is skipped, and the import goes on. */
export function contained(source: string, read: () => SourceItem): SourceItem {
  try {
    return read();
  } catch (error) {
    const reason = `it cannot be converted: ${(error as Error).message}`;
    return { skipped: { source, reason } };
  }
}

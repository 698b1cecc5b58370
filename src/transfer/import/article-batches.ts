import type { ImportedArticle, SourceItem } from './articles/imported-article.js';
import { countOne, type ImportReport } from './import-report.js';

/** Largest number of articles that are stored together. */
const BATCH = 50;
/** Approximate number of characters of HTML in a batch. */
const BATCH_LENGTH = 1_000_000;

/** Groups articles in batches, and adds the source's other items to the report. */
export async function* batchesOf(
  items: AsyncIterable<SourceItem>,
  report: ImportReport,
  onSkipped: () => void,
): AsyncGenerator<ImportedArticle[]> {
  let batch: ImportedArticle[] = [];
  let length = 0;
  for await (const item of items) {
    if ('counted' in item) countOne(report, item.counted);
    else if ('noted' in item) report.changed.push(item.noted);
    else if ('skipped' in item) {
      report.skipped.push(item.skipped);
      onSkipped();
    } else {
      length += item.article.html.length;
      if (batch.push(item.article) < BATCH && length < BATCH_LENGTH) continue;
      yield batch;
      [batch, length] = [[], 0];
    }
  }
  if (batch.length > 0) yield batch;
}

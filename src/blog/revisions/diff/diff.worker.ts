// Node runs this module on the thread of BlogDiffService, in tests as TypeScript, so these imports end in `.ts`.
import { diffTexts, type DiffBlock } from './diff-texts.ts';
import { Passage } from './passage.ts';
import { visibleBlocks } from './visible-blocks.ts';

/** Two texts of a blog, as clean HTML. */
export interface DiffTask {
  readonly before: string;
  readonly after: string;
}

/** @returns what `diffTexts` returns for the visible blocks */
export function diffHtml({ before, after }: DiffTask): readonly DiffBlock[] {
  const blocksOf = (html: string) => visibleBlocks(html).map((text) => new Passage(text));
  return diffTexts(blocksOf(before), blocksOf(after));
}

/**
 * @returns the result of `diffHtml` as JSON: the event loop reads it faster than a message of many
 *   objects
 */
export function diffHtmlAsJson(task: DiffTask): string {
  return JSON.stringify(diffHtml(task));
}

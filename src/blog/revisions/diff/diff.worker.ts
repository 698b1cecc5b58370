import type * as diff from './diff-texts.js';
import type * as passage from './passage.js';
import type * as visible from './visible-blocks.js';

/**
 * This module also runs on the worker thread of BlogDiffService. There Node runs the compiled files
 * or, in tests, the TypeScript sources, and cannot resolve the name `x.js` to `x.ts`. So this
 * module chooses the extension of its imports, and the imported files import no other source file.
 */

const EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const { visibleBlocks } = (await import(`./visible-blocks${EXTENSION}`)) as typeof visible;
const { Passage } = (await import(`./passage${EXTENSION}`)) as typeof passage;
const { diffTexts } = (await import(`./diff-texts${EXTENSION}`)) as typeof diff;

/** Two texts of a blog, as clean HTML. */
export interface DiffTask {
  readonly before: string;
  readonly after: string;
}

/** @returns what `diffTexts` returns for the visible blocks */
export function diffHtml({ before, after }: DiffTask): readonly diff.DiffBlock[] {
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

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Matches the line before a block that is not run. The line says why. */
const NOT_RUN = /^_Not run by `npm run docs:check`: (?<reason>.+)\._$/;
const FENCE = /^```(?<words>.*)$/;

/** A block of shell commands of a page. */
export interface Block {
  /** Path of the page and line number of the opening fence, such as `README.md:11`. */
  readonly location: string;
  readonly commands: string;
  /** Why the block is not run; null if it is run. */
  readonly notRun: string | null;
  /** Whether the block starts a server and does not end by itself (its fence says `sh server`). */
  readonly startsServer: boolean;
  /** Whether the server is stopped before the block is run (its fence says `sh stopped`). */
  readonly stopsServer: boolean;
  /** The text between the previous block and this one. */
  readonly textBefore: string;
}

/** Reads the blocks whose fence says `sh` from a page, in order. */
export function blocksOf(root: string, page: string): Block[] {
  const blocks: Block[] = [];
  let words: string[] | null = null;
  let commands: string[] = [];
  let text: string[] = [];
  for (const [index, line] of readFileSync(join(root, page), 'utf8').split('\n').entries()) {
    const fence = FENCE.exec(line)?.groups?.words;
    if (fence === undefined) (words ? commands : text).push(line);
    else if (words === null) words = fence.split(' ');
    else {
      if (words[0] === 'sh') {
        const lastLine = text.findLast((candidate) => candidate !== '') ?? '';
        blocks.push({
          location: `${page}:${index - commands.length}`,
          commands: commands.join('\n'),
          notRun: NOT_RUN.exec(lastLine)?.groups?.reason ?? null,
          startsServer: words.includes('server'),
          stopsServer: words.includes('stopped'),
          textBefore: text.join('\n'),
        });
        text = [];
      }
      words = null;
      commands = [];
    }
  }
  return blocks;
}

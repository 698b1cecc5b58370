/** A part of a text that a rule has read, and what stands in its place. */
export interface Read {
  /** The position after the part. */
  readonly end: number;
  readonly text: string;
}

/** Reads markup that begins at a position; null if none begins there. */
export type Rule = (text: string, at: number) => Read | null;

/** Elements of HTML whose content is no markup. */
const RAW = ['pre', 'code', 'script', 'style', 'textarea'].join('|');

/** Matches the beginning of code, of a comment, or of markup: of tags in braces, and in MDX of all that may be JSX. */
const starts = (markup: string): RegExp =>
  new RegExp(
    `(?<=^|\\n)[ \\t>]*(?:(?:[-*+]|\\d{1,9}[.)])[ \\t]+)*(\`{3,}|~{3,})|(\`+)|<(${RAW})(?=[\\s>])|(<!--)|(\\\\[{<\`])|${markup}`,
    'gi',
  );
const TAGS = starts('\\{[{%:]|\\[(?:source)?code(?=[\\s=\\]])');
const JSX = starts('[{<]|(?<=^|\\n)(?:import|export)\\b');

/**
 * Replaces markup in a text, except in code and comments. The time is linear if that of the rule is.
 *
 * @param isMdx whether a single brace and any element may be markup
 */
export function replaceOutsideCode(text: string, isMdx: boolean, rule: Rule): string {
  const code = new CodeFinder(text);
  const start = new RegExp(isMdx ? JSX : TAGS);
  const result: string[] = [];
  let copiedTo = 0;
  for (let match = start.exec(text); match; match = start.exec(text)) {
    const [, fence, ticks, element, comment, escaped] = match;
    const after = start.lastIndex;
    if (fence) start.lastIndex = code.endOfFence(fence, after);
    else if (ticks) start.lastIndex = code.endOfSpan(ticks.length, after);
    else if (element && !isMdx) start.lastIndex = code.after(`</${element.toLowerCase()}`, after);
    else if (comment) start.lastIndex = code.after('-->', after);
    else if (!escaped) {
      const read = rule(text, match.index);
      start.lastIndex = read?.end ?? match.index + 1;
      if (!read) continue;
      result.push(text.slice(copiedTo, match.index), read.text);
      copiedTo = read.end;
    }
  }
  return result.length === 0 ? text : result.join('') + text.slice(copiedTo);
}

/** Finds where code ends. Positions are asked for in ascending order. */
class CodeFinder {
  private readonly text: string;
  /** The positions after the runs of backticks of each length, in descending order. */
  private readonly runs = new Map<number, number[]>();
  private paragraphEnd = -1;
  /** Texts that do not occur any more. */
  private readonly missing = new Set<string>();

  constructor(text: string) {
    this.text = text;
    for (const { 0: run, index } of [...text.matchAll(/`+/g)].reverse()) {
      const ends = this.runs.get(run.length) ?? [];
      ends.push(index + run.length);
      this.runs.set(run.length, ends);
    }
  }

  /** The end of a block between fences; the end of the text if the second fence is missing. */
  endOfFence(fence: string, after: number): number {
    const { text } = this;
    for (let line = text.indexOf('\n', after); line !== -1; line = text.indexOf('\n', line + 1)) {
      const at = text.indexOf(fence, line);
      if (at === -1) break;
      // Only the lines between may be far away, and each is looked at once.
      const begin = text.lastIndexOf('\n', at) + 1;
      const end = text.indexOf('\n', at);
      const content = text.slice(begin, end === -1 ? text.length : end).replace(/^[ \t>]+/, '');
      line = end === -1 ? text.length : end - 1;
      if (content.trimEnd() === fence[0]!.repeat(content.trimEnd().length)) return line + 1;
    }
    return text.length;
  }

  /** The end of a span between runs of backticks; the end of the first run if the second is missing. */
  endOfSpan(length: number, after: number): number {
    const ends = this.runs.get(length) ?? [];
    while (ends.length > 0 && ends.at(-1)! <= after) ends.pop();
    const end = ends.at(-1) ?? Infinity;
    return end > this.endOfParagraph(after) ? after : end;
  }

  /** The position after the next occurrence of a text, in any case; `from` if there is none. */
  after(wanted: string, from: number): number {
    if (this.missing.has(wanted)) return from;
    // A copy in lower case could be longer than the text: that of `İ` has two characters.
    const search = new RegExp(wanted, 'gi');
    search.lastIndex = from;
    if (search.test(this.text)) return search.lastIndex;
    this.missing.add(wanted);
    return from;
  }

  private endOfParagraph(after: number): number {
    if (this.paragraphEnd < after) {
      const at = this.text.slice(after).search(/\n[ \t]*\n/);
      this.paragraphEnd = at === -1 ? Infinity : after + at;
    }
    return this.paragraphEnd;
  }
}

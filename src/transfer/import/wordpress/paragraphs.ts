/** Elements within which blank lines separate paragraphs, as in the text outside of any element. */
const CONTAINERS =
  'div blockquote section article aside header footer main nav form fieldset details center';
/** Other blocks, whose text stays as it is. */
const OTHER_BLOCKS =
  'p h1 h2 h3 h4 h5 h6 pre ul ol dl li dt dd table caption colgroup col thead tbody tfoot tr td th hr ' +
  'figure figcaption summary address script style noscript object video audio svg math textarea select';

const CONTAINER_NAMES: ReadonlySet<string> = new Set(CONTAINERS.split(' '));
const BLOCK_NAMES: ReadonlySet<string> = new Set([...CONTAINER_NAMES, ...OTHER_BLOCKS.split(' ')]);
const VOID: ReadonlySet<string> = new Set(['hr', 'col']);

/** Matches a tag, a comment or text. No tag holds a `<`, so that many tags without an end take linear time. */
const TOKEN =
  /<!--(?:(?!<!--)[\s\S])*?-->|<\/?([a-z][a-z0-9]*)\b(?:"[^"<]*"|'[^'<]*'|[^>"'<])*>|[^<]+|</gi;

const BREAK = '<br />';

/** Matches a line break with the blanks before it. It is not tried within blanks, so that many of them take linear time. */
const BLANKS_AND_BREAK = /(?<![^\S\n])[^\S\n]*\n/g;

/**
 * Makes paragraphs of texts between blank lines, and `br` of single line breaks, as WordPress does
 * with texts of its classic editor.
 */
export function withParagraphs(html: string): string {
  const writer = new ParagraphWriter();
  for (const [token, name] of html.replace(/\r\n?/g, '\n').matchAll(TOKEN)) {
    const tag = name?.toLowerCase();
    if (tag !== undefined && BLOCK_NAMES.has(tag)) writer.addBlockTag(token, tag);
    else if (tag !== undefined || token.startsWith('<!--')) writer.addInline(token);
    else writer.addText(token);
  }
  return writer.end();
}

class ParagraphWriter {
  private readonly openElements: string[] = [];
  /** Place of the outermost open element that is one of OTHER_BLOCKS, unless the list ends before it. */
  private keptFrom = Infinity;
  private readonly output: string[] = [];
  /** The paragraph that is being written. */
  private paragraph = '';
  private isAfterBreak = false;

  addBlockTag(token: string, name: string): void {
    this.endParagraph();
    this.output.push(token);
    if (VOID.has(name) || token.endsWith('/>')) return;
    if (!token.startsWith('</')) {
      // A block ends an open paragraph, and an item ends the item before it: their end tags may be
      // missing.
      if (this.openElements.at(-1) === 'p' || this.openElements.at(-1) === name) {
        if (!CONTAINER_NAMES.has(name)) this.openElements.pop();
      }
      const at = this.openElements.push(name) - 1;
      if (at <= this.keptFrom) this.keptFrom = CONTAINER_NAMES.has(name) ? Infinity : at;
    } else if (this.openElements.includes(name)) {
      this.openElements.length = this.openElements.lastIndexOf(name);
    }
  }

  addInline(token: string): void {
    if (this.keepsText()) this.output.push(token);
    else {
      this.paragraph += token;
      this.isAfterBreak = /^<br\b/i.test(token);
    }
  }

  addText(text: string): void {
    if (this.keepsText()) {
      this.output.push(text);
      return;
    }
    const [first = '', ...others] = text.split(/\n[^\S\n]*\n\s*/);
    this.addLines(first);
    for (const other of others) {
      this.endParagraph();
      this.addLines(other);
    }
  }

  end(): string {
    this.endParagraph();
    return this.output.join('');
  }

  private addLines(text: string): void {
    const lines = this.isAfterBreak || this.paragraph === '' ? text.replace(/^\s*\n/, '') : text;
    this.paragraph += lines.replace(BLANKS_AND_BREAK, `${BREAK}\n`);
    if (lines.trim() !== '') this.isAfterBreak = false;
    if (/\n\s*$/.test(lines.slice(-50))) this.isAfterBreak = true;
  }

  private endParagraph(): void {
    let text = this.paragraph.trim();
    while (text.endsWith(BREAK)) text = text.slice(0, -BREAK.length).trimEnd();
    this.paragraph = '';
    this.isAfterBreak = false;
    if (text === '') return;
    const isComment = text.replace(/<!--(?:(?!<!--)[\s\S])*?-->/g, '').trim() === '';
    this.output.push(isComment ? text : `<p>${text}</p>\n`);
  }

  /** Whether an open element is one of OTHER_BLOCKS, whose text stays as it is. */
  private keepsText(): boolean {
    return this.keptFrom < this.openElements.length;
  }
}

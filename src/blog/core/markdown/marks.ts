import type { TokenizerAndRendererExtension } from 'marked';

/**
 * Characters around the number of a mark. Unicode guarantees that they are no characters, so no text needs
 * them.
 */
const [START, END] = ['\uFDD0', '\uFDD1'];
const MARK = new RegExp(`${START}(\\d+)${END}`, 'g');
const NONCHARACTERS = new RegExp(`[${START}${END}]`, 'g');

interface Marked {
  readonly html: string;
  readonly isBlock: boolean;
  /** What the author wrote. */
  readonly source: string;
}

/**
 * Marks stand in a text of Markdown for what is no Markdown, such as a shortcode: the parser passes over a mark
 * as over a word. In code, where nothing is converted, a mark becomes again what the author wrote.
 */
export class Marks {
  private readonly marked: Marked[] = [];

  /** Removes the characters of marks from a text that has none yet. */
  static free(text: string): string {
    return text.replace(NONCHARACTERS, '');
  }

  /** @returns the mark for HTML in a line of text */
  inline(html: string, source: string): string {
    return this.add({ html, isBlock: false, source });
  }

  /** @returns the mark for a tag or an element that is a block, if it has a line for itself */
  block(html: string, source: string): string {
    return this.add({ html, isBlock: true, source });
  }

  /** @returns the mark for a text that stays as the author wrote it */
  kept(source: string): string {
    return this.inline(escapeHtml(source), source);
  }

  /** Replaces the marks that the parser has left, those in code and in attributes, by what the author wrote. */
  restore(html: string): string {
    return html.replace(MARK, (_, number: string) => escapeHtml(this.at(number).source));
  }

  /** Replaces all marks of a text that is no Markdown. */
  fill(html: string): string {
    return html.replace(MARK, (_, number: string) => this.at(number).html);
  }

  /**
   * The extensions by which the parser knows marks.
   *
   * @param indent the greatest number of blanks before a block
   */
  extensions(indent: number): TokenizerAndRendererExtension[] {
    const line = `[ \\t]{0,${indent}}${START}(\\d+)${END}[ \\t]*(?=\\n|$)`;
    const [block, later] = [new RegExp(`^${line}\\n*`), new RegExp(`\\n${line}`)];
    const inline = new RegExp(`^${START}(\\d+)${END}`);
    return [
      {
        name: 'blockMark',
        level: 'block',
        start: (source) => startInParagraph(source, later),
        tokenizer: (source) => {
          const [raw, number = ''] = block.exec(source) ?? [];
          if (raw === undefined || !this.at(number).isBlock) return undefined;
          return { type: 'blockMark', raw, number };
        },
        renderer: ({ number }) => `${this.at(String(number)).html}\n`,
      },
      {
        name: 'inlineMark',
        level: 'inline',
        start: (source) => indexOrNone(source.indexOf(START)),
        tokenizer: (source) => {
          const [raw, number = ''] = inline.exec(source) ?? [];
          return raw === undefined ? undefined : { type: 'inlineMark', raw, number };
        },
        renderer: ({ number }) => this.at(String(number)).html,
      },
    ];
  }

  private add(marked: Marked): string {
    return `${START}${this.marked.push(marked) - 1}${END}`;
  }

  private at(number: string): Marked {
    return this.marked[Number(number)] ?? { html: '', isBlock: false, source: '' };
  }
}

/**
 * Where a block begins that may end a paragraph. It searches to the next empty line only, because the parser asks
 * at each paragraph.
 */
export function startInParagraph(source: string, pattern: RegExp): number | undefined {
  const end = source.indexOf('\n\n');
  return indexOrNone((end === -1 ? source : source.slice(0, end + 1)).search(pattern));
}

export function indexOrNone(index: number): number | undefined {
  return index === -1 ? undefined : index;
}

export function escapeHtml(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}

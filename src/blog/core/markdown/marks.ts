import type { TokenizerAndRendererExtension } from 'marked';
import { escapeHtml } from '../../../platform/text/escape-html.ts';

/**
 * Characters around the number of a mark. Unicode guarantees that they are no characters, so no text needs
 * them.
 */
const [START, END] = ['\uFDD0', '\uFDD1'];
const MARK_START = new RegExp(START);
const MARK = new RegExp(`${START}(\\d+)${END}`, 'g');
/** A mark in a text or, percent-encoded, in a URL. */
const MARK_LEFT = new RegExp(
  `(?:${START}|${encodeURI(START)})(\\d+)(?:${END}|${encodeURI(END)})`,
  'g',
);
const NONCHARACTERS = new RegExp(`[${START}${END}]`, 'g');

/** Matches a tag of an element that is not in a paragraph. */
const BLOCK =
  /^<\/?(?:t[dhr]|thead|tbody|table|caption|li|[ou]l|d[ltd]|summary|details|p|h[1-6]|fig\w+|div|section|pre|blockquote)\b/;

interface Marked {
  readonly html: string;
  readonly isBlock: boolean;
  /** What the author wrote. */
  readonly source: string;
  /** What stands in attributes, where no element can stand: the source if left out. */
  readonly value?: string;
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

  /** @returns the mark for a text that is a value, such as a URL or its beginning */
  value(value: string, source: string, html = escapeHtml(value)): string {
    return this.add({ html, isBlock: false, source, value });
  }

  /** Replaces the marks in code by what the author wrote. */
  written(text: string): string {
    return text.replace(MARK, (_, number: string) => this.at(number).source);
  }

  /** Replaces the marks that the parser has left in attributes and in HTML. */
  restore(html: string): string {
    return html.replace(MARK_LEFT, (_, number: string) => {
      const { value, source } = this.at(number);
      return escapeHtml(value ?? source);
    });
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
        start: (source) => startInLine(source, MARK_START),
        tokenizer: (source) => {
          const [raw, number = ''] = inline.exec(source) ?? [];
          if (raw === undefined) return undefined;
          return { type: 'inlineMark', raw, number, isBlock: BLOCK.test(this.at(number).html) };
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

/** How far a paragraph is searched for the beginning of a block, in characters: the parser asks at each block. */
const SEARCHED = 2_000;

/** Where a block begins that may end a paragraph. */
export function startInParagraph(source: string, pattern: RegExp): number | undefined {
  const near = source.slice(0, SEARCHED);
  const end = near.indexOf('\n\n');
  return indexOrNone((end === -1 ? near : near.slice(0, end + 1)).search(pattern));
}

/** Where an inline element may begin; after a part without one, the parser asks again. */
export function startInLine(source: string, pattern: RegExp): number | undefined {
  const index = source.slice(0, SEARCHED).search(pattern);
  return index === -1 && source.length > SEARCHED ? SEARCHED - 10 : indexOrNone(index);
}

function indexOrNone(index: number): number | undefined {
  return index === -1 ? undefined : index;
}

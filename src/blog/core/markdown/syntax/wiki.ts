import type { TokenizerAndRendererExtension, Tokens } from 'marked';
import { escapeHtml } from '../../../../platform/text/escape-html.ts';
import { startInLine } from '../marks.ts';
import { articleUrl, figureOf, linkTo, playerOf, type Figure } from '../tags/elements.ts';

const LINK = /^(!?)\[\[([^[\]|\n]{1,300})(?:\\?\|([^[\]\n]{0,300}))?\]\]/;
/** The files that may be embedded, by the element that shows them. */
const FILES: readonly (readonly ['img' | 'audio' | 'video' | 'a', RegExp])[] = [
  ['img', /\.(?:png|jpe?g|gif|svg|webp|avif|bmp)$/i],
  ['audio', /\.(?:mp3|wav|m4a|ogg|opus|flac)$/i],
  ['video', /\.(?:mp4|webm|ogv|mov)$/i],
  ['a', /\.pdf$/i],
];
/** A width, perhaps with a height, after an alternative text: `Alt|300x200`. */
const SIZED = /^(?:([^]*)\|)?(\d{1,5})(?:x(\d{1,5}))?$/;
/** A comment, which only the editor shows. */
const COMMENT = /^%%(?!%)(?:[^%]|%(?!%)){1,20000}%%(?=\s|$)/;
const MARK = /^==(?![\s=])((?:[^=`\n]|=(?!=)|\n(?!\s*\n)){1,2000}?)(?<![\s=])==(?!=)/;
/** A line in whose place a generator puts the table of contents. */
const TOC =
  /^ {0,3}(?:\[toc\]|\[\[_?toc_?\]\]|\$\{toc\}|@\[toc\](?:\([^()\n]*\))?)[ \t]*(?:\n+|$)/i;

/**
 * What Obsidian and other notebooks add: links by name, embedded files, marked words, comments.
 *
 * @param notes gets what is left out
 * @param files the paths of embedded files, which may be named without their folders, by these names
 */
export const wiki = (
  notes: Set<string>,
  files: Readonly<Record<string, string>>,
): readonly TokenizerAndRendererExtension[] => [
  {
    name: 'contents',
    level: 'block',
    tokenizer: (source) => {
      const [raw] = TOC.exec(source) ?? [];
      return raw === undefined ? undefined : { type: 'contents', raw };
    },
    renderer: () => '',
  },
  ...(['block', 'inline'] as const).map((level): TokenizerAndRendererExtension => ({
    name: `${level}Comment`,
    level,
    start: (source) => (level === 'block' ? undefined : startInLine(source, /(?<=^|\s)%%/)),
    tokenizer(source) {
      const [raw] = COMMENT.exec(source) ?? [];
      if (raw === undefined) return undefined;
      notes.add('text: comments between %% are left out');
      return { type: `${level}Comment`, raw };
    },
    renderer: () => '',
  })),
  {
    name: 'wikiLink',
    level: 'inline',
    start: (source) => startInLine(source, /!?\[\[/),
    tokenizer: (source) => {
      const [raw, embeds = '', name = '', label = ''] = LINK.exec(source) ?? [];
      const target = label === '' ? name : name.trimEnd();
      // A condition of a shell may look like a link.
      if (raw === undefined || /^\s|\s$|^[-$"']/.test(target)) return undefined;
      return { type: 'wikiLink', raw, embeds, target, label: label.trim() };
    },
    renderer: (token) => wikiLink(token as unknown as WikiLink, files),
  },
  {
    name: 'marked',
    level: 'inline',
    start: (source) => startInLine(source, /(?<!=)==(?![=\s])/),
    tokenizer(source) {
      const [raw, text = ''] = MARK.exec(source) ?? [];
      if (raw === undefined) return undefined;
      return {
        type: 'marked',
        raw,
        tokens: this.lexer.inlineTokens(text),
      } satisfies Tokens.Generic;
    },
    renderer({ tokens = [] }) {
      return `<mark>${this.parser.parseInline(tokens)}</mark>`;
    },
  },
];

type WikiLink = Readonly<Record<'embeds' | 'target' | 'label', string>>;

function wikiLink(
  { embeds, target, label }: WikiLink,
  files: Readonly<Record<string, string>>,
): string {
  const [element] = FILES.find(([, ending]) => ending.test(target)) ?? [];
  if (element !== undefined) {
    const src = encodeURI(files[target] ?? target);
    if (element === 'a' || embeds === '') return linkTo(src, label || target);
    const alt = target.replace(/^.*\/|\.\w+$/g, '');
    return element === 'img' ? figureOf({ src, ...sized(label, alt) }) : playerOf(element, src);
  }
  // The text of a link to a heading is the heading, and that of a link to a block the article.
  const text = label || target.replace(/^#|#?\^[\w-]+$/g, '').replaceAll('#', ' › ');
  return target === '' ? escapeHtml(text) : linkTo(articleUrl(target), text);
}

/** The alternative text and the size in `Alt|300x200`. */
export function sized(label: string, otherwise = ''): Pick<Figure, 'alt' | 'width' | 'height'> {
  const [whole, alt, width, height] = SIZED.exec(label) ?? [];
  return whole === undefined
    ? { alt: label || otherwise }
    : { alt: alt || otherwise, width, height };
}

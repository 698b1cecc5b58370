import type { TokenizerAndRendererExtension, Tokens } from 'marked';
import { escapeHtml } from '../../../../platform/text/escape-html.ts';
import { startInLine } from '../marks.ts';
import { articleUrl, figureOf, linkTo } from '../tags/elements.ts';

const LINK = /^(!?)\[\[([^[\]|\n]{1,300})(?:\\?\|([^[\]\n]{0,300}))?\]\]/;
const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp)$/i;
const MARK = /^==(?![\s=])((?:[^=`\n]|=(?!=)|\n(?!\s*\n)){1,2000}?)(?<![\s=])==(?!=)/;
/** A line in whose place a generator puts the table of contents. */
const TOC =
  /^ {0,3}(?:\[toc\]|\[\[_?toc_?\]\]|\$\{toc\}|@\[toc\](?:\([^()\n]*\))?)[ \t]*(?:\n+|$)/i;

/** What Obsidian and other notebooks add: links by name, embedded pictures, marked words. */
export const WIKI: readonly TokenizerAndRendererExtension[] = [
  {
    name: 'contents',
    level: 'block',
    tokenizer: (source) => {
      const [raw] = TOC.exec(source) ?? [];
      return raw === undefined ? undefined : { type: 'contents', raw };
    },
    renderer: () => '',
  },
  {
    name: 'wikiLink',
    level: 'inline',
    start: (source) => startInLine(source, /!?\[\[/),
    tokenizer: (source) => {
      const [raw, embeds = '', target = '', label = ''] = LINK.exec(source) ?? [];
      // A condition of a shell may look like a link.
      if (raw === undefined || /^\s|\s$|^[-$"']/.test(target)) return undefined;
      return { type: 'wikiLink', raw, embeds, target, label };
    },
    renderer: (token) =>
      wikiLink(token as unknown as Record<'embeds' | 'target' | 'label', string>),
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

function wikiLink({
  embeds,
  target,
  label,
}: Record<'embeds' | 'target' | 'label', string>): string {
  if (embeds !== '' && IMAGE.test(target)) {
    const [, width, height] = /^(\d{1,5})(?:x(\d{1,5}))?$/.exec(label) ?? [];
    const alt = width === undefined && label !== '' ? label : target.replace(/^.*\/|\.\w+$/g, '');
    return figureOf({ src: encodeURI(target), alt, width, height });
  }
  // The text of a link to a heading is the heading.
  const text = label || target.replace(/^#/, '').replaceAll('#', ' › ');
  return target === '' ? escapeHtml(text) : linkTo(articleUrl(target), text);
}

import type { TokenizerAndRendererExtension } from 'marked';
import { escapeHtml } from '../../../../platform/text/escape-html.ts';
import { startInLine, startInParagraph } from '../marks.ts';

/**
 * A formula in a line: no blank after the first dollar sign and before the second, and no digit after that, so
 * that prices are none. Formulas of MathJax begin with two backslashes, because one is an escape of Markdown.
 */
const INLINE =
  /^(?:\$\$(?!\$)[^$`]{1,5000}\$\$|\$(?![\s$])(?:[^$`\\\n]|\\[^\n]|\n(?!\s*\n)){0,1000}(?<![\s\\])\$(?![\d$])|\\\\\((?:[^`\n]|\n(?!\s*\n)){1,1000}?\\\\\))/;

/** A formula that is a block: from a line that begins with its first sign to a line that ends with its last. */
const BLOCK =
  /^ {0,3}(?:\$\$[^$`]{1,20000}\$\$|\\\\\[[^`]{1,2000}?\\\\\]|\\begin\{(\w{1,20}\*?)\}[^`]{1,2000}?\\end\{\1\})[ \t]*(?:\n+|$)/;
const LATER = /\n {0,3}(?:\$\$|\\\\\[|\\begin\{)/;

/** Formulas stay as they are written, for a library of the page to show them. */
export const MATH: readonly TokenizerAndRendererExtension[] = [
  {
    name: 'blockMath',
    level: 'block',
    start: (source) => startInParagraph(source, LATER),
    tokenizer: (source) => {
      const [raw] = BLOCK.exec(source) ?? [];
      return raw === undefined ? undefined : { type: 'blockMath', raw };
    },
    renderer: ({ raw }) => `<p>${escapeHtml(raw.trim())}</p>\n`,
  },
  {
    name: 'inlineMath',
    level: 'inline',
    start: (source) => startInLine(source, /\$|\\\\\(/),
    tokenizer: (source) => {
      const [raw] = INLINE.exec(source) ?? [];
      return raw === undefined ? undefined : { type: 'inlineMath', raw };
    },
    renderer: ({ raw }) => escapeHtml(raw),
  },
];

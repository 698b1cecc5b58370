import { replaceOutsideCode } from '../outside-code.ts';
import { jsxTagAt } from './jsx-tag.ts';

/** Longest tag or comment that is looked at, in characters. */
const LENGTH_MAX = 2_000;

/** Elements of Vue, in whose files components and braces are no JSX. */
const VUE = /^<(?:script|style|template)[\s>]/;

/**
 * Whether a text of Markdown is MDX, as Docusaurus reads any file: it has a comment of JSX, or a component alone in
 * its line. An import is no sign, because a text about JavaScript may begin with one.
 */
export function looksLikeMdx(text: string): boolean {
  if (!/\{\/\*|<\/?[A-Z]/.test(text)) return false;
  let isVue = false;
  let hasSign = false;
  replaceOutsideCode(text, true, (_, at) => {
    isVue ||= (at === 0 || text[at - 1] === '\n') && VUE.test(text.slice(at, at + 10));
    hasSign ||= isSign(text, at);
    return null;
  });
  return hasSign && !isVue;
}

function isSign(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 100), at);
  // In Markdown such a line is code.
  if (/(?:^|\n)(?: {4}|\t)[^\n]*$/.test(before)) return false;
  if (text.startsWith('{/*', at)) return text.slice(at, at + LENGTH_MAX).includes('*/}');
  if (!/^<\/?[A-Z]/.test(text.slice(at, at + 3)) || !/(?:^|\n)[ \t]*$/.test(before)) return false;
  const tag = jsxTagAt(text, at, LENGTH_MAX);
  if (!tag || !(tag.isEnd || tag.isSelfClosed)) return false;
  return /^[ \t]*(?:\n|$)/.test(text.slice(tag.end, tag.end + 100));
}

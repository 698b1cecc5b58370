import { endOfBrackets } from './expressions.ts';

/** An attribute of JSX: a text, an expression, or neither, as in `<input disabled>`. */
export type JsxValue = { readonly text: string } | { readonly expression: string } | null;

export interface JsxTag {
  /** '' for a fragment. */
  readonly name: string;
  readonly isEnd: boolean;
  readonly isSelfClosed: boolean;
  readonly attributes: Readonly<Record<string, JsxValue>>;
  /** The position after the tag. */
  readonly end: number;
}

// Unlike in JSX, after a blank nothing is a tag: `a < b`.
const NAME = /(\/?)(?!\s)([A-Za-z][\w.-]*(?::[\w-]+)?)?/y;
const BLANKS = /(?:\s|\/\*[^*]*\*\/)*/y;
const ATTRIBUTE_NAME = /[A-Za-z_@:][\w.:@-]*/y;
const VALUE = /\s*=\s*(?:"([^"]{0,5000})"|'([^']{0,5000})'|(?=\{))/y;

/** Reads a tag of JSX, which may have several lines; null if there is none. */
export function jsxTagAt(text: string, at: number, max: number): JsxTag | null {
  const start = matchAt(NAME, text, at + 1);
  if (!start) return null;
  const isEnd = start[1] === '/';
  const name = start[2] ?? '';
  const attributes: Record<string, JsxValue> = {};
  let index = NAME.lastIndex;
  for (;;) {
    matchAt(BLANKS, text, index);
    index = BLANKS.lastIndex;
    if (text[index] === '>') break;
    if (text.startsWith('/>', index)) break;
    if (name === '' || isEnd || index - at > max) return null;
    const attribute = attributeAt(text, index, max);
    if (!attribute) return null;
    if (attribute.name !== '') attributes[attribute.name] = attribute.value;
    index = attribute.end;
  }
  const isSelfClosed = text[index] === '/';
  return { name, isEnd, isSelfClosed, attributes, end: index + (isSelfClosed ? 2 : 1) };
}

/** @returns an attribute; one without a name for `{...properties}` */
function attributeAt(
  text: string,
  at: number,
  max: number,
): { readonly name: string; readonly value: JsxValue; readonly end: number } | null {
  if (text[at] === '{') {
    const end = endOfBrackets(text, at, max);
    return end === null ? null : { name: '', value: null, end };
  }
  const name = matchAt(ATTRIBUTE_NAME, text, at)?.[0];
  if (name === undefined) return null;
  const afterName = ATTRIBUTE_NAME.lastIndex;
  const value = matchAt(VALUE, text, afterName);
  if (!value) return { name, value: null, end: afterName };
  const given = value[1] ?? value[2];
  if (given !== undefined) return { name, value: { text: given }, end: VALUE.lastIndex };
  const start = VALUE.lastIndex;
  const end = endOfBrackets(text, start, max);
  return end === null ? null : { name, value: { expression: text.slice(start + 1, end - 1) }, end };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

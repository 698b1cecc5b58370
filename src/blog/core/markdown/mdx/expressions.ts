/** Longest expression or element that is read, in characters. */
export const LENGTH_MAX = 20_000;

const PAIRS: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' };

/**
 * Finds the end of JavaScript between brackets, past strings and comments.
 *
 * @param at the position of the opening bracket
 * @param max longest text that is read, in characters
 * @returns the position after the closing bracket; null if there is none
 */
export function endOfBrackets(text: string, at: number, max = LENGTH_MAX): number | null {
  const open: string[] = [];
  const last = Math.min(text.length, at + max);
  for (let index = at; index < last; index += 1) {
    const character = text[index]!;
    const closing = PAIRS[character];
    if (closing !== undefined) open.push(closing);
    else if (character === open.at(-1)) {
      open.pop();
      if (open.length === 0) return index + 1;
    } else if ('"\'`'.includes(character)) {
      index = endOfString(text, index, last);
    } else if (text.startsWith('/*', index)) {
      const end = text.slice(index, last).indexOf('*/', 2);
      if (end === -1) return null;
      index += end + 1;
    }
  }
  return null;
}

/** The position of the quote that ends a string; that of its beginning if it is an apostrophe. */
function endOfString(text: string, at: number, last: number): number {
  const quote = text[at]!;
  for (let index = at + 1; index < last; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === quote) return index;
    else if (text[index] === '\n' && quote !== '`') return at;
  }
  return at;
}

/** The value of an expression that is a text or a number; null for any other. */
export function literalOf(expression: string): string | null {
  const [, , single] = /^\s*(["'])((?:[^"'\\\n]|\\.|(?!\1)["'])*)\1\s*$/.exec(expression) ?? [];
  const [, template] = /^\s*`((?:[^`\\$]|\\[\s\S]|\$(?!\{))*)`\s*$/.exec(expression) ?? [];
  const text = single ?? template;
  if (text !== undefined) {
    return text.replace(/\\(n|[\s\S])/g, (_, character: string) =>
      character === 'n' ? '\n' : character,
    );
  }
  return /^\s*(-?\d+(?:\.\d+)?|true|false)\s*$/.exec(expression)?.[1] ?? null;
}

/** The path in `require('./a.png').default` or `useBaseUrl('/a.png')`. */
export function pathOf(expression: string): string | null {
  return (
    /^\s*(?:require|useBaseUrl|withBase|asset)\(\s*["'`]([^"'`\n]+)["'`][^)]*\)/.exec(
      expression,
    )?.[1] ?? null
  );
}

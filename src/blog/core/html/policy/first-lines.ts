import { defaultTreeAdapter, type DefaultTreeAdapterTypes } from 'parse5';

/**
 * Parsers drop one line break after `<pre>`. These functions write another one before a line break
 * with which a `pre` begins, so that parsers keep that one.
 */

const PRE_WITH_BREAK = /(<pre(?: [a-z]+="[^"]*")*>)\n/g;

/** @param html what sanitize-html wrote */
export function keepFirstLines(html: string): string {
  return html.replace(PRE_WITH_BREAK, '$1\n\n');
}

/** @param pres the `pre` elements of a tree that is going to be serialised */
export function keepFirstLinesOfTree(pres: readonly DefaultTreeAdapterTypes.Element[]): void {
  for (const { childNodes } of pres) {
    const [first] = childNodes;
    if (first && defaultTreeAdapter.isTextNode(first) && first.value.startsWith('\n')) {
      first.value = `\n${first.value}`;
    }
  }
}

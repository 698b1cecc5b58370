import { defaultTreeAdapter, parseFragment, serialize, type DefaultTreeAdapterMap } from 'parse5';

type Node = DefaultTreeAdapterMap['node'];

/**
 * Matches a text that may hold a link or an image with a relative URL. Most texts do not match, and
 * are not parsed.
 */
const MAYBE_RELATIVE = /\b(?:src|href)\s*=\s*["']?\s*(?!https?:|mailto:|#|data:)[^\s"'>]/i;

/** Matches an absolute URL, a fragment within the article, or an empty value. */
const NOT_RELATIVE = /^\s*(?:[a-z][a-z0-9+.-]*:|#|$)/i;

/** Makes the relative URLs of links and images absolute. */
export function resolveLinks(html: string, base: string): string {
  if (!MAYBE_RELATIVE.test(html)) return html;
  const fragment = parseFragment(html);
  resolveIn(fragment, base);
  return serialize(fragment);
}

/** Matches a link or an image whose URL is relative to the file of the article, not to its site. */
const RELATIVE_TO_FILE =
  /<(?:a|img)\b[^>]{0,1000}?\s(?:src|href)\s*=\s*["']?\s*(?![a-z][a-z0-9+.-]*:|[/#?]|["'\s>])/i;

/** Whether a text has links or images that mean nothing without the URL of the article. */
export function hasRelativeUrls(html: string): boolean {
  return RELATIVE_TO_FILE.test(html);
}

export function isRelativeUrl(value: string): boolean {
  return !NOT_RELATIVE.test(value);
}

/** @returns the absolute URL; the value itself if it is not relative, or not valid */
export function resolveUrl(value: string, base: string): string {
  if (NOT_RELATIVE.test(value)) return value;
  return URL.parse(value.trim(), base)?.href ?? value;
}

function resolveIn(root: Node, base: string): void {
  // The elements are kept in a list, because they may be nested too deep for a recursion.
  const nodes = [root];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (defaultTreeAdapter.isElementNode(node)) {
      for (const attribute of node.attrs) {
        if (attribute.name === 'src' || attribute.name === 'href') {
          attribute.value = resolveUrl(attribute.value, base);
        }
      }
    }
    if ('childNodes' in node) nodes.push(...node.childNodes);
  }
}

import {
  defaultTreeAdapter as adapter,
  parseFragment,
  serialize,
  type DefaultTreeAdapterMap,
} from 'parse5';

export type HtmlElement = DefaultTreeAdapterMap['element'];
export type HtmlNode = DefaultTreeAdapterMap['node'];
export type HtmlFragment = DefaultTreeAdapterMap['documentFragment'];

/** Parses HTML of which a source has converted its own elements. */
export function parseHtml(html: string): HtmlFragment {
  return parseFragment(html);
}

/** The elements below a node for which the condition holds, in the order of the document. */
export function elementsIn(
  root: HtmlNode,
  matches: (element: HtmlElement) => boolean,
): HtmlElement[] {
  const found: HtmlElement[] = [];
  // The nodes are kept in a list, because they may be nested too deep for a recursion.
  const nodes: HtmlNode[] = childrenOf(root).toReversed();
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (adapter.isElementNode(node) && matches(node)) found.push(node);
    nodes.push(...childrenOf(node).toReversed());
  }
  return found;
}

/** The first element below a node that has the tag name or, with a dot before it, the class. */
export function findIn(root: HtmlNode, selector: string): HtmlElement | null {
  const isClass = selector.startsWith('.');
  const matches = (element: HtmlElement): boolean =>
    isClass ? hasClass(element, selector.slice(1)) : element.tagName === selector;
  return elementsIn(root, matches)[0] ?? null;
}

export function attributeOf(element: HtmlElement | null, name: string): string {
  return element?.attrs.find((attribute) => attribute.name === name)?.value ?? '';
}

export function hasClass(element: HtmlElement, name: string): boolean {
  return attributeOf(element, 'class').split(/\s+/).includes(name);
}

/** The text below a node on one line; '' for null. */
export function textIn(root: HtmlNode | null): string {
  if (root === null) return '';
  const texts: string[] = [];
  const nodes: HtmlNode[] = [root];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (adapter.isTextNode(node)) texts.push(node.value);
    nodes.push(...childrenOf(node).toReversed());
  }
  return texts.join('').replace(/\s+/g, ' ').trim();
}

/** The HTML within a node; '' for null. */
export function innerHtml(node: HtmlElement | HtmlFragment | null): string {
  return node === null ? '' : serialize(node).trim();
}

export function remove(element: HtmlElement): void {
  adapter.detachNode(element);
}

/** Replaces an element by other HTML. */
export function replace(element: HtmlElement, html: string): void {
  const parent = adapter.getParentNode(element);
  if (parent === null) return;
  for (const node of [...parseFragment(html).childNodes]) {
    adapter.detachNode(node);
    adapter.insertBefore(parent, node, element);
  }
  adapter.detachNode(element);
}

function childrenOf(node: HtmlNode): readonly HtmlNode[] {
  return 'childNodes' in node ? node.childNodes : [];
}

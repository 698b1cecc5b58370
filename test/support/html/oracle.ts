import {
  type DefaultTreeAdapterTypes as Tree,
  defaultTreeAdapter,
  html as syntax,
  parse,
  parseFragment,
  serialize,
} from 'parse5';
import { ALLOWED, isAllowedValue, REQUIRED } from './allowed.js';
import { anchorFindings } from './anchor-oracle.js';
import { embedFindings } from './embed-oracle.js';

/** Elements whose `innerHTML` may be an article. The article must become the same tree in all of them. */
const [ARTICLE, ...OTHER_PARENTS] = [
  element('div'),
  ...['p', 'td', 'li', 'details', 'body'].map(element),
] as const;

function element(tag: string): Tree.Element {
  return defaultTreeAdapter.createElement(tag, syntax.NS.HTML, []);
}

/** A tag in the form that the cleaner writes. The text between such tags must not contain `<`. */
const WRITTEN_TAG = /<(?:\/[a-z][a-z\d]*|[a-z][a-z\d]*(?: [a-z]+="[^"<>]*")*(?: \/)?)>/g;

const CONTROL = /[\0-\x08\v-\x1f\x7f]/;

export type Clean = (html: string) => string;

type Hosts = readonly string[];

/**
 * Checks the cleaned form of a text with a parser that works as browsers do:
 *
 * - Cleaning it again changes nothing.
 * - Parsed as a page, and as the content of several elements, it gives the same tree each time, with
 *   only allowed elements, attributes and URLs.
 * - Only headings and targets of its links have ids, and every id occurs once.
 * - Serialising the tree and parsing it again, with or without cleaning in between, gives the same tree.
 * - It has no `<` outside a tag, no double quote or angle bracket in a value, no control character and no
 *   unpaired surrogate.
 *
 * @param hosts the hosts whose pages an `iframe` may show
 * @returns the problems found
 */
export function findings(input: string, clean: Clean, hosts: Hosts = []): string[] {
  const text = clean(input);
  const found = textFindings(text);
  if (clean(text) !== text) {
    found.push(`cleaned again: ${clean(text)}`);
  }
  const tree = parseFragment(ARTICLE, text, {});
  found.push(...treeFindings(tree.childNodes, hosts), ...anchorFindings(nodesOf(tree.childNodes)));
  const others: Tree.ParentNode[] = OTHER_PARENTS.map((parent) => parseFragment(parent, text, {}));
  for (const other of [...others, bodyOfPage(text)]) {
    if (!isSameTree(tree, other)) {
      found.push(`another tree elsewhere: ${serialize(other)}`);
    }
  }
  const written = writtenAgain(tree);
  found.push(...rereadFindings(tree, written), ...rereadFindings(tree, clean(written)));
  return found;
}

/**
 * Serialises a tree. A line break at the start of a `pre` is written twice, because parsers drop the
 * first one.
 */
function writtenAgain(tree: Tree.ParentNode): string {
  const texts = nodesOf(tree.childNodes)
    .map((node) => (node.nodeName === 'pre' ? node.childNodes[0] : undefined))
    .filter((node) => node !== undefined && 'value' in node && node.value.startsWith('\n'));
  const setValues = (change: (value: string) => string) => {
    for (const text of texts as Tree.TextNode[]) text.value = change(text.value);
  };
  setValues((value) => `\n${value}`);
  const written = serialize(tree);
  setValues((value) => value.slice(1));
  return written;
}

function textFindings(text: string): string[] {
  const found: string[] = [];
  if (text.replace(WRITTEN_TAG, '').includes('<')) {
    found.push('a < outside a tag');
  }
  if (CONTROL.test(text) || !text.isWellFormed()) {
    found.push('a control character or half a surrogate pair');
  }
  return found;
}

function rereadFindings(tree: Tree.ParentNode, written: string): string[] {
  const reread = parseFragment(ARTICLE, written, {});
  return isSameTree(tree, reread) ? [] : [`read again: ${serialize(reread)} from ${written}`];
}

function treeFindings(nodes: readonly Tree.Node[], hosts: Hosts): string[] {
  return nodesOf(nodes).flatMap((node) => {
    if (node.nodeName === 'iframe') return embedFindings(node, hosts);
    if ('tagName' in node) return elementFindings(node);
    return node.nodeName === '#text' ? [] : [node.nodeName];
  });
}

/** All nodes of some trees. */
function nodesOf(roots: readonly Tree.Node[]): Tree.Node[] {
  const found: Tree.Node[] = [];
  const pending = [...roots];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    found.push(node);
    if ('tagName' in node) pending.push(...node.childNodes);
  }
  return found;
}

function elementFindings({ tagName, namespaceURI, attrs }: Tree.Element): string[] {
  const allowed = Object.hasOwn(ALLOWED, tagName) ? ALLOWED[tagName] : undefined;
  const found =
    allowed === undefined || namespaceURI !== syntax.NS.HTML
      ? [`${namespaceURI} <${tagName}>`]
      : [];
  for (const { name, value, prefix } of attrs) {
    if (
      prefix !== undefined ||
      !['id', 'dir', 'lang', ...(allowed ?? [])].includes(name) ||
      !isAllowedValue(tagName, name, value)
    ) {
      found.push(`<${tagName} ${name}=${JSON.stringify(value)}>`);
    }
  }
  const missing = (Object.hasOwn(REQUIRED, tagName) ? (REQUIRED[tagName] ?? []) : []).filter(
    (names) => !attrs.some(({ name }) => names.split('|').includes(name)),
  );
  return [...found, ...missing.map((name) => `a ${tagName} without ${name}`)];
}

/** The body of a page with this text; the whole page if the text has changed anything outside the body. */
function bodyOfPage(text: string): Tree.ParentNode {
  const page = parse(`<!doctype html><html><head></head><body>${text}</body></html>`);
  const root = page.childNodes.find((node): node is Tree.Element => node.nodeName === 'html');
  const [head, body, ...rest] = (root?.childNodes ?? []) as Tree.Element[];
  const isOutsideUnchanged =
    page.childNodes.length === 2 && rest.length === 0 && head?.childNodes.length === 0;
  return isOutsideUnchanged && body?.tagName === 'body' && body.attrs.length === 0 ? body : page;
}

/** Whether two trees are equal, apart from their roots. */
function isSameTree(one: Tree.ParentNode, other: Tree.ParentNode): boolean {
  return (
    one.childNodes.length === other.childNodes.length &&
    one.childNodes.every((node, index) => isSameNode(node, other.childNodes[index]))
  );
}

function isSameNode(one: Tree.ChildNode, other: Tree.ChildNode | undefined): boolean {
  if (other === undefined || one.nodeName !== other.nodeName) {
    return false;
  }
  if ('value' in one) {
    return 'value' in other && one.value === other.value;
  }
  if (!('tagName' in one) || !('tagName' in other)) {
    return false;
  }
  return (
    one.namespaceURI === other.namespaceURI &&
    one.attrs.length === other.attrs.length &&
    one.attrs.every(
      ({ name, value }, index) =>
        name === other.attrs[index]?.name && value === other.attrs[index].value,
    ) &&
    isSameTree(one, other)
  );
}

import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';
import type { Article } from '../../scripts/support/articles.ts';

/** Elements whose text no browser shows, or shows only when it cannot show the element. */
const INVISIBLE =
  /^(?:script|style|template|title|no(?:script|frames|embed)|iframe|object|audio|video|canvas)$/;

/** Why something is dropped: the kind (element, `element attribute`, or `link`), then the reason. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^<(?:iframe|frame|embed|object|video|audio)>$/, 'no frames or plug-ins'],
  [/^<(?:script|style|link|meta|template|noscript)>$/, 'no scripts or styles'],
  [/^<(?:form|input|button|select|textarea|label)>$/, 'no forms'],
  [/^<(?:svg|math)>$/, 'no svg or math'],
  [/^<(?:div|span|section|article|center|font)>$/, 'unwrapped: without attributes it says nothing'],
  [/^\S+ on\w+$/, 'no handlers'],
  [/^\S+ style$/, 'no styles'],
  [/^\S+ (?:id|name)$/, 'no link of the article leads there'],
  [/^\S+ class$/, 'only language-… of pre and code'],
  [/^a (?:rel|target)$/, 'not listed; the page decides'],
  [/^ol start$/, 'not listed'],
  [/^(?:a|img) data-[\w-]+$/, 'not listed'],
  [/^link \/\//, 'no protocol-relative target'],
];

export type Comparison = ReturnType<typeof compareArticles>;

type Node = DefaultTreeAdapterTypes.Node;

/** How often each kind of markup is there. */
type Counts = Map<string, number>;

/** What a reader would miss. */
interface Inventory {
  text: string;
  readonly link: string[];
  /** The texts of the links within the article that have a target. */
  readonly anchor: string[];
  readonly image: string[];
  readonly code: string[];
  readonly markup: Counts;
}

const LISTED = ['link', 'anchor', 'image', 'code'] as const;

/**
 * @returns kept: how much of each kind is in the originals and in what is left of them; dropped:
 *   what is not, by kind; losses: those that readers would miss
 */
export function compareArticles(articles: readonly Article[], clean: (html: string) => string) {
  const kept: Record<string, { before: number; after: number }> = {};
  const counts: Counts = new Map();
  const losses: { slug: string; kind: string; what: unknown }[] = [];
  for (const { slug, html } of articles) {
    const before = inventory(html);
    const after = inventory(clean(html));
    for (const kind of ['text', ...LISTED] as const) {
      const sums = (kept[kind] ??= { before: 0, after: 0 });
      sums.before += before[kind].length;
      sums.after += after[kind].length;
    }
    if (before.text !== after.text) {
      losses.push({ slug, kind: 'text', what: firstDifference(before.text, after.text) });
    }
    for (const kind of LISTED) {
      for (const what of missing(before[kind], after[kind])) {
        const isExplained = kind === 'link' && reasonFor(`link ${what}`) !== undefined;
        if (isExplained) add(counts, `link ${what}`, 1);
        else losses.push({ slug, kind, what });
      }
    }
    for (const [kind, count] of before.markup) {
      add(counts, kind, count - (after.markup.get(kind) ?? 0));
    }
  }
  return { kept, dropped: explain(counts), losses };
}

/** Everything in a text that a reader would miss, and its elements and attributes by kind. */
function inventory(html: string): Inventory {
  const found: Inventory = {
    ...{ text: '', link: [], anchor: [], image: [], code: [], markup: new Map() },
  };
  const root = parseFragment(html);
  const ids = idsOf(root);
  const visit = (node: Node, isVisible: boolean) => {
    if ('value' in node && isVisible) {
      // Blanks between blocks may come and go; those within code are compared with it.
      found.text += node.value.replace(/\s+/g, '');
    }
    const isElement = 'tagName' in node;
    if (isElement) noteElement(found, node, ids);
    const isShown = isVisible && !(isElement && INVISIBLE.test(node.tagName));
    if ('childNodes' in node) node.childNodes.forEach((child) => visit(child, isShown));
  };
  visit(root, true);
  return found;
}

/** What a fragment can lead to. */
function idsOf(node: Node): Set<string> {
  const attributes = 'attrs' in node ? node.attrs : [];
  const isId = (name: string) => name === 'id' || (name === 'name' && node.nodeName === 'a');
  const own = attributes.filter(({ name }) => isId(name)).map(({ value }) => value);
  const children =
    'childNodes' in node ? node.childNodes.flatMap((child) => [...idsOf(child)]) : [];
  return new Set([...own, ...children]);
}

function hasTarget(href: string, ids: ReadonlySet<string>): boolean {
  const fragment = href.slice(1);
  return href.startsWith('#') && (ids.has(fragment) || ids.has(unescape(fragment)));
}

/** Without percent-encoding; '' if it is malformed. */
function unescape(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return '';
  }
}

function noteElement(
  found: Inventory,
  node: DefaultTreeAdapterTypes.Element,
  ids: ReadonlySet<string>,
): void {
  add(found.markup, `<${node.tagName}>`, 1);
  for (const { name, value } of node.attrs) {
    const isTarget = node.tagName === 'a' && name === 'href';
    const isImage = node.tagName === 'img' && name === 'src';
    if (isTarget && hasTarget(value.trim(), ids)) found.anchor.push(textOf(node));
    else if (isTarget) found.link.push(value.trim());
    else if (isImage) found.image.push(value.trim());
    else add(found.markup, `${node.tagName} ${name}`, 1);
  }
  if (node.tagName === 'pre') found.code.push(textOf(node).replace(/^\n+/, ''));
}

function textOf(node: Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

function missing(before: readonly string[], after: readonly string[]): string[] {
  const left = [...after];
  return before.filter((what) => {
    const at = left.indexOf(what);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function explain(counts: Counts) {
  return [...counts]
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => {
      const goesWithElement = (counts.get(`<${kind.split(' ')[0]}>`) ?? 0) > 0;
      const reason = goesWithElement ? 'with its element' : reasonFor(kind);
      return { kind, count, reason: reason ?? '(none known)', isExplained: reason !== undefined };
    })
    .sort((one, other) => other.count - one.count);
}

function reasonFor(kind: string): string | undefined {
  return REASONS.find(([pattern]) => pattern.test(kind))?.[1];
}

function firstDifference(before: string, after: string) {
  const at = [...before].findIndex((char, index) => char !== [...after][index]);
  return { before: before.slice(at, at + 60), after: after.slice(at, at + 60) };
}

function add(counts: Counts, kind: string, count: number): void {
  counts.set(kind, (counts.get(kind) ?? 0) + count);
}

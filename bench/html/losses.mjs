import { parseFragment } from 'parse5';

/** Elements whose text no browser shows, or shows only when it cannot show the element. */
const INVISIBLE = new Set(
  'script style template title noscript noframes noembed iframe object audio video canvas'.split(
    ' ',
  ),
);

/** Why something is dropped: the kind (element, `element attribute`, or `link`), then the reason. */
const REASONS = [
  [/^<(?:iframe|frame|embed|object|video|audio)>$/, 'contract 8: no frames or plug-ins'],
  [/^<(?:script|style|link|meta|template|noscript)>$/, 'contract 8: no scripts or styles'],
  [/^<(?:form|input|button|select|textarea|label)>$/, 'contract 8: no forms'],
  [/^<(?:svg|math)>$/, 'contract 8: no svg or math'],
  [/^<(?:div|span|section|article|center|font)>$/, 'unwrapped: without attributes it says nothing'],
  [/^\S+ on\w+$/, 'contract 8: no handlers'],
  [/^\S+ style$/, 'contract 8: no styles'],
  [/^\S+ (?:id|name)$/, 'contract 8: not listed; it could clobber names of the page'],
  [/^\S+ class$/, 'contract 8: only language-… of pre and code'],
  [/^a (?:rel|target)$/, 'contract 8: not listed; the page decides'],
  [/^ol start$/, 'contract 8: not listed'],
  [/^(?:a|img) data-[\w-]+$/, 'contract 8: not listed'],
  [/^link \/\//, 'contract 8: no protocol-relative target'],
];

/**
 * @param articles {slug, html}
 * @returns kept: how much of each kind is in the originals and in what is left of them;
 *   dropped: {kind, count, reason, isExplained}; losses: {slug, kind, what}
 */
export function compareArticles(articles, clean) {
  const kept = {};
  const counts = new Map();
  const losses = [];
  for (const { slug, html } of articles) {
    const before = inventory(html);
    const after = inventory(clean(html));
    for (const kind of ['text', 'link', 'image', 'code']) {
      kept[kind] ??= { before: 0, after: 0 };
      kept[kind].before += size(before[kind]);
      kept[kind].after += size(after[kind]);
    }
    if (before.text !== after.text) {
      losses.push({ slug, kind: 'text', what: firstDifference(before.text, after.text) });
    }
    for (const kind of ['link', 'image', 'code']) {
      for (const what of missing(before[kind], after[kind])) {
        if (kind === 'link' && reasonFor(`link ${what}`) !== undefined) {
          add(counts, `link ${what}`, 1);
        } else {
          losses.push({ slug, kind, what });
        }
      }
    }
    for (const [kind, count] of before.markup) {
      add(counts, kind, count - (after.markup.get(kind) ?? 0));
    }
  }
  return { kept, dropped: explain(counts), losses };
}

/** Everything in a text that a reader would miss, and its elements and attributes by kind. */
function inventory(html) {
  const found = { text: '', link: [], image: [], code: [], markup: new Map() };
  const visit = (node, isVisible) => {
    if (node.nodeName === '#text' && isVisible) {
      // Blanks between blocks may come and go; those within code are compared with it.
      found.text += node.value.replace(/\s+/g, '');
    }
    if (node.tagName !== undefined) {
      noteElement(found, node);
    }
    const isShown = isVisible && !INVISIBLE.has(node.tagName);
    node.childNodes?.forEach((child) => visit(child, isShown));
  };
  visit(parseFragment(html), true);
  return found;
}

function noteElement(found, node) {
  add(found.markup, `<${node.tagName}>`, 1);
  for (const { name, value } of node.attrs) {
    const isTarget = node.tagName === 'a' && name === 'href';
    if (isTarget) {
      found.link.push(value.trim());
    } else if (node.tagName === 'img' && name === 'src') {
      found.image.push(value.trim());
    } else {
      add(found.markup, `${node.tagName} ${name}`, 1);
    }
  }
  if (node.tagName === 'pre') {
    found.code.push(textOf(node).replace(/^\n+/, ''));
  }
}

function textOf(node) {
  return node.nodeName === '#text' ? node.value : (node.childNodes ?? []).map(textOf).join('');
}

function missing(before, after) {
  const left = [...after];
  return before.filter((what) => {
    const at = left.indexOf(what);
    if (at >= 0) {
      left.splice(at, 1);
    }
    return at < 0;
  });
}

function explain(counts) {
  return [...counts]
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => {
      const goesWithElement = counts.get(`<${kind.split(' ')[0]}>`) > 0;
      const reason = goesWithElement ? 'with its element' : reasonFor(kind);
      return { kind, count, reason: reason ?? '(none known)', isExplained: reason !== undefined };
    })
    .sort((one, other) => other.count - one.count);
}

function reasonFor(kind) {
  return REASONS.find(([pattern]) => pattern.test(kind))?.[1];
}

function firstDifference(before, after) {
  const at = [...before].findIndex((char, index) => char !== [...after][index]);
  return { before: before.slice(at, at + 60), after: after.slice(at, at + 60) };
}

const add = (counts, kind, count) => counts.set(kind, (counts.get(kind) ?? 0) + count);
const size = (found) => found.length;

import { createHash } from 'node:crypto';
import {
  defaultTreeAdapter,
  type DefaultTreeAdapterMap,
  html as htmlSyntax,
  parseFragment,
  serialize,
  type TreeAdapter,
} from 'parse5';
import sanitizeHtml from 'sanitize-html';
// Node runs this module on a worker thread. In tests it runs the TypeScript source, so these imports end in `.ts`.
import { setAnchors } from './policy/anchors.ts';
import type { AttributeRules } from './policy/attribute-rules.ts';
import { VOID_NAMES } from './policy/element-names.ts';
import {
  ADDED_ATTRIBUTES,
  ALLOWED,
  ANCHOR,
  ATTRIBUTES,
  GLOBAL_ATTRIBUTES,
  REQUIRED_ATTRIBUTES,
  TAGS_DROPPED_WITH_CONTENT,
  UNWRAPPED_BLOCK,
} from './policy/elements.ts';
import { EMBED, EMBED_ATTRIBUTES, embedOf, type EmbedHosts } from './policy/embeds.ts';
import { Removals } from './policy/removals.ts';
import { keepFirstLines, keepFirstLinesOfTree } from './policy/first-lines.ts';
import { repairSource } from './source/source-repair.ts';

/**
 * The version of the HTML policy (the code here and in `policy`) without embeds. Increment it with
 * every change after which a text is cleaned differently.
 */
export const HTML_VERSION = 4;

/**
 * The version that is stored with a text as `htmlVersion`: HTML_VERSION, and 32 bits of a hash of
 * the hosts, if there are any. A text with a different version, higher or lower, is cleaned again.
 */
export function htmlVersionOf(hosts: EmbedHosts): number {
  if (hosts.length === 0) return HTML_VERSION;
  const names = [...new Set(hosts)].sort().join();
  return createHash('sha256').update(names).digest().readUInt32BE() * 2 ** 16 + HTML_VERSION;
}

declare const CLEAN: unique symbol;

/** A text that `cleanHtml` returned. No other text has this type, so no other text can be stored. */
export type CleanHtml = string & { readonly [CLEAN]: true };

/**
 * The greatest depth of nested elements. Browsers have the same limit. The parser searches its open
 * elements at every end tag, so without a limit the time would grow with the square of the length.
 */
const DEPTH_MAX = 512;

/** Thrown when a text exceeds DEPTH_MAX or GROWTH_MAX. */
class HtmlLimitExceededError extends Error {}

/**
 * Greatest number of rounds of cleaning. Almost every text needs one, links within links need two;
 * the other rounds are a margin.
 */
const ROUNDS_MAX = 8;

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: [...ALLOWED.keys(), ANCHOR, EMBED],
  nonTextTags: [...TAGS_DROPPED_WITH_CONTENT],
  allowedAttributes: {
    '*': ['id', ...Object.keys(GLOBAL_ATTRIBUTES)],
    [EMBED]: EMBED_ATTRIBUTES,
    ...Object.fromEntries(
      Object.entries(ATTRIBUTES).map(([tag, rules]) => [tag, Object.keys(rules)]),
    ),
  },
  selfClosing: [...ALLOWED.keys()].filter((tag) => VOID_NAMES.has(tag)),
  // sanitize-html checks the schemes again, after the URL patterns of the attributes.
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
};

/** The elements that `elementFilter` has left without attributes, because they would show nothing. */
const INCOMPLETE = new RegExp(`<(?:${Object.keys(REQUIRED_ATTRIBUTES).join('|')}) />`, 'g');

/** The allowed elements for which it matters that they have no attributes. */
const SPECIAL_TAGS: ReadonlySet<string> = new Set([
  ...Object.keys(ADDED_ATTRIBUTES),
  ...Object.keys(REQUIRED_ATTRIBUTES),
]);

/** Forbidden elements of a whole page. Their languages and directions are not kept. */
const PAGE_TAGS: ReadonlySet<string> = new Set(['html', 'head', 'body']);

/**
 * Changes an allowed `iframe` to EMBED. It runs before {@link elementFilter}.
 *
 * @param removals counts what is removed
 */
function embedFilter(hosts: EmbedHosts, removals?: Removals): sanitizeHtml.Transformer {
  return (tagName, attribs) => {
    const embed = embedOf(attribs, hosts);
    if (embed === null) return { tagName, attribs };
    removals?.addAttributes(tagName, attribs, embed);
    // Browsers never show the content of an `iframe`, so its text is dropped.
    return { tagName: EMBED, attribs: embed, text: '' };
  };
}

/**
 * Drops forbidden attributes, and gives forbidden elements with an id, a language or a direction the
 * name ANCHOR. The pass removes the other forbidden elements.
 *
 * @param removals counts what is removed
 */
function elementFilter(removals?: Removals): sanitizeHtml.Transformer {
  return (tagName, attribs) => {
    const rules = ALLOWED.get(tagName);
    if (tagName === EMBED || (rules && !SPECIAL_TAGS.has(tagName) && !hasKeys(attribs))) {
      return { tagName, attribs };
    }
    const kept = keptAttributes(attribs, rules ?? GLOBAL_ATTRIBUTES);
    if (rules === undefined) {
      const isAnchor =
        Object.keys(kept).length > 0 &&
        !TAGS_DROPPED_WITH_CONTENT.includes(tagName) &&
        !PAGE_TAGS.has(tagName);
      removals?.addElement(tagName, attribs, isAnchor ? kept : {});
      return { tagName: isAnchor ? ANCHOR : tagName, attribs: kept };
    }
    const required = REQUIRED_ATTRIBUTES[tagName];
    if (required !== undefined && !required.some((name) => kept[name])) {
      removals?.addIncomplete(tagName, attribs);
      return { tagName, attribs: {} };
    }
    Object.assign(kept, ADDED_ATTRIBUTES[tagName]);
    removals?.addAttributes(tagName, attribs, kept);
    return { tagName, attribs: kept };
  };
}

function hasKeys(attributes: sanitizeHtml.Attributes): boolean {
  for (const _name in attributes) return true;
  return false;
}

function keptAttributes(
  given: sanitizeHtml.Attributes,
  rules: AttributeRules,
): sanitizeHtml.Attributes {
  // `setAnchors` decides which ids stay, when all links are known.
  const kept: sanitizeHtml.Attributes = given['id'] ? { id: given['id'] } : {};
  for (const name in rules) {
    const value = given[name];
    if (value === undefined) continue;
    const checked = rules[name]?.(value) ?? '';
    if (checked !== '' || name === 'alt') kept[name] = checked;
  }
  return kept;
}

/** A cleaned text. */
export interface CleaningResult {
  readonly html: CleanHtml;
  /**
   * Number of characters that do not count towards the limit of the text's length (see
   * `AnchoredText`).
   */
  readonly idLength: number;
  /**
   * Messages about what was removed, as far as a reader would notice: one for each kind, [] for
   * nothing.
   */
  readonly warnings: readonly string[];
}

const ESCAPED_WARNING =
  'elements are nested too deep or reopened too often: all tags became plain text; simplify the HTML';

/**
 * Cleans the HTML of an article by the allow-lists in `policy`. The result is safe in the body of a
 * page in any browser: it contains only allowed elements, quoted attributes and escaped text.
 *
 * The result has two properties:
 *
 * - Cleaning it again changes nothing. One pass of sanitize-html does not ensure this: when it
 *   removes a forbidden element, the rest can be parsed differently. In `<p><x-y><p>`, the second
 *   `p` closes the first only after `x-y` is removed.
 * - If a browser parses the result and serialises the tree, parsing that text gives the same tree.
 *   Some texts lack this property: `<a><table><a>` becomes a link within a link, which HTML cannot
 *   express (see {@link normalizeTree}).
 *
 * So rounds are repeated until one changes nothing. If each of ROUNDS_MAX rounds has changed
 * something, or the text exceeds DEPTH_MAX or GROWTH_MAX, the whole input is escaped and becomes
 * plain text.
 *
 * Headings, and elements to which links of the article lead, have ids (see `setAnchors`).
 *
 * Before each pass `repairSource` protects what an author wrote. It need not be trusted: the pass
 * and the rounds treat what it returns like any source.
 *
 * @param html Any text. The time is linear in its length, which the caller limits.
 * @param hosts The hosts whose pages an `iframe` may show.
 * @returns Clean HTML, '' when nothing is left. Line ends are LF; NUL and other control characters
 *   are gone; lone surrogates are U+FFFD.
 */
export function cleanHtml(html: string, hosts: EmbedHosts = []): CleanHtml {
  return cleanAndReport(html, hosts).html;
}

/** Cleans as {@link cleanHtml}, and reports what was removed. */
export function cleanAndReport(html: string, hosts: EmbedHosts = []): CleaningResult {
  const source = normalizeCharacters(html);
  const removals = new Removals();
  try {
    let next = pass(source.replace(UNWRAPPED_BLOCK, '\n$&'), hosts, removals);
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const { text, idLength } = setAnchors(next);
      const normalized = normalizeTree(text);
      next = pass(normalized, hosts);
      if (normalized === text && next === text) {
        return { html: text as CleanHtml, idLength, warnings: removals.messages() };
      }
    }
  } catch (error) {
    if (!(error instanceof HtmlLimitExceededError)) {
      throw error;
    }
  }
  return { html: escapeText(source) as CleanHtml, idLength: 0, warnings: [ESCAPED_WARNING] };
}

/** The message that {@link cleanOnThread} gets. */
export interface CleaningTask {
  readonly html: string;
  readonly hosts: EmbedHosts;
}

/** Runs on the worker thread of HtmlCleaner. @returns what {@link cleanAndReport} returns */
export function cleanOnThread({ html, hosts }: CleaningTask): CleaningResult {
  return cleanAndReport(html, hosts);
}

/**
 * One pass of sanitize-html.
 *
 * @param removals counts what is removed; given in the first pass only, because later passes remove
 *   nothing that the author wrote
 */
function pass(html: string, hosts: EmbedHosts, removals?: Removals): string {
  let depth = 0;
  // Whether nothing stands between the start tag of a `pre` and what is read next.
  let isPreStart = false;
  const cleaned = sanitizeHtml(repairSource(html, hosts, removals), {
    ...OPTIONS,
    transformTags: { iframe: embedFilter(hosts, removals), '*': elementFilter(removals) },
    onOpenTag: (name) => {
      isPreStart = name === 'pre';
      depth += 1;
      if (depth > DEPTH_MAX) {
        throw new HtmlLimitExceededError();
      }
    },
    onCloseTag: () => {
      isPreStart = false;
      depth -= 1;
    },
    textFilter: (text) => {
      const shown = isPreStart ? text.replace(/^\n/, '') : text;
      isPreStart = false;
      return shown;
    },
  });
  // In this text `<` stands only where a tag begins, so plain patterns find tags reliably.
  return keepFirstLines(
    normalizeCharacters(cleaned)
      .replace(INCOMPLETE, '')
      .replace(/<\/?(?:SPAN|IFRAME)/g, (tag) => tag.toLowerCase()),
  );
}

/**
 * Parses a text and serialises the tree as a browser does. If parsing that result gives the same
 * tree, returns the text unchanged, else the result. The trees differ for links within links, and
 * for content that HTML forbids in a table (parsers place it before the table).
 * The result is also returned if parsing has repeated an element that has an id.
 *
 * @param text what {@link pass} returned
 */
function normalizeTree(text: string): string {
  const written = asBrowsersWriteIt(text);
  // If only void elements differ (`<br />`, `<br>`), the text need not be parsed again.
  if (written === text.replaceAll(' />', '>')) {
    return text;
  }
  const isStable = asBrowsersWriteIt(written) === written && !ANNOTATION.test(text);
  return isStable && countIds(written) === countIds(text) ? text : written;
}

/**
 * Ruby annotations. Only sanitize-html ends one where the next one begins outside a `ruby`, so a
 * text with them has to be what browsers write.
 */
const ANNOTATION = /<r[tp][ >]/;

/**
 * Number of elements with an id, plus 1. Words of the text that look like an id may be counted as
 * well.
 */
function countIds(text: string): number {
  return text.split(' id="').length;
}

/**
 * What a browser returns as the `innerHTML` of an element after the text was assigned to it, but
 * with the first line breaks of `pre` kept.
 */
function asBrowsersWriteIt(text: string): string {
  const pres: DefaultTreeAdapterMap['element'][] = [];
  const tree = parseFragment(PARENT, text, { treeAdapter: boundedTree(text.length, pres) });
  keepFirstLinesOfTree(pres);
  return serialize(tree);
}

/**
 * A parse5 tree adapter that throws HtmlLimitExceededError above DEPTH_MAX or GROWTH_MAX.
 *
 * @param pres gets the `pre` elements of the tree
 */
function boundedTree(
  textLength: number,
  pres: DefaultTreeAdapterMap['element'][],
): TreeAdapter<DefaultTreeAdapterMap> {
  let remainingSize = Math.max(textLength, 100) * GROWTH_MAX;
  // The parser opens an `html` element around the text, which does not count.
  let depth = -1;
  return {
    ...defaultTreeAdapter,
    createElement: (tagName, namespace, attributes) => {
      remainingSize -= tagName.length;
      for (const { value } of attributes) {
        remainingSize -= value.length;
      }
      if (remainingSize < 0) {
        throw new HtmlLimitExceededError();
      }
      const element = defaultTreeAdapter.createElement(tagName, namespace, attributes);
      if (tagName === 'pre') pres.push(element);
      return element;
    },
    onItemPush: () => {
      depth += 1;
      if (depth > DEPTH_MAX) {
        throw new HtmlLimitExceededError();
      }
    },
    onItemPop: () => {
      depth -= 1;
    },
  };
}

/**
 * Factor by which the tree may be longer than its text. A parser opens the inline elements of a
 * paragraph again in every block after it: one link of 50 KB and 5,000 blocks would make 250 MB.
 */
const GROWTH_MAX = 2;

/**
 * The element into which the text is parsed. By default parse5 uses a `template`, in which a `td`
 * needs no table.
 */
const PARENT = defaultTreeAdapter.createElement('div', htmlSyntax.NS.HTML, []);

/** The control characters that {@link normalizeCharacters} replaces or removes. Most texts have none. */
const CONTROL = /[\0-\x08\v-\x1f\x7f-\x9f]/;

/** Runs before and after parsing, because a character reference can stand for a control character. */
function normalizeCharacters(text: string): string {
  const wellFormed = text.toWellFormed();
  if (!CONTROL.test(wellFormed)) return wellFormed;
  return (
    wellFormed
      .replace(/\r\n?|\x85/g, '\n')
      // A form feed separates attributes as a blank does, so it becomes one.
      .replace(/\f/g, ' ')
      .replace(/[\0-\x08\v\x0e-\x1f\x7f-\x9f]/g, '')
  );
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

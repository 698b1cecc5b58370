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
import {
  ALLOWED,
  ANCHOR,
  ATTRIBUTES,
  TAGS_DROPPED_WITH_CONTENT,
  UNWRAPPED_BLOCK,
} from './policy/elements.ts';
import { EMBED, EMBED_ATTRIBUTES, embedOf, type EmbedHosts } from './policy/embeds.ts';
import { Removals } from './policy/removals.ts';

/**
 * The version of the HTML policy (the code here and in `policy`) without embeds. Increment it with
 * every change after which a text is cleaned differently.
 */
export const HTML_VERSION = 3;

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
    '*': ['id'],
    [EMBED]: EMBED_ATTRIBUTES,
    ...Object.fromEntries(
      Object.entries(ATTRIBUTES).map(([tag, rules]) => [tag, Object.keys(rules)]),
    ),
  },
  // sanitize-html checks the schemes again, after the URL patterns of the attributes.
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
};

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
 * Drops forbidden attributes, and gives forbidden elements that have an id the name ANCHOR. The pass
 * removes the other forbidden elements.
 *
 * @param removals counts what is removed
 */
function elementFilter(removals?: Removals): sanitizeHtml.Transformer {
  return (tagName, attribs) => {
    const rules = ALLOWED.get(tagName);
    // `setAnchors` decides which ids stay, when all links are known.
    const kept: sanitizeHtml.Attributes = attribs['id'] ? { id: attribs['id'] } : {};
    if (tagName === EMBED) return { tagName, attribs };
    if (rules === undefined) {
      removals?.addElement(tagName, attribs);
      const isAnchor = 'id' in kept && !TAGS_DROPPED_WITH_CONTENT.includes(tagName);
      return { tagName: isAnchor ? ANCHOR : tagName, attribs: kept };
    }
    for (const name in rules) {
      const value = attribs[name];
      if (value !== undefined) kept[name] = rules[name]?.(value) ?? '';
    }
    removals?.addAttributes(tagName, attribs, kept);
    return { tagName, attribs: kept };
  };
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
  const cleaned = sanitizeHtml(html, {
    ...OPTIONS,
    transformTags: { iframe: embedFilter(hosts, removals), '*': elementFilter(removals) },
    onOpenTag: () => {
      depth += 1;
      if (depth > DEPTH_MAX) {
        throw new HtmlLimitExceededError();
      }
    },
    onCloseTag: () => {
      depth -= 1;
    },
  });
  // In this text `<` stands only where a tag begins, so plain patterns find tags reliably.
  return (
    normalizeCharacters(cleaned)
      // Removes images whose source was refused: they would show nothing.
      .replace(/<img(?: (?!src=)[a-z]+="[^"]*")* \/>/g, '')
      // Parsers drop one line break after `<pre>`, so every further pass would drop another one.
      .replace(/(<pre(?: [a-z]+="[^"]*")*>)\n+/g, '$1')
      .replace(/<\/?(?:SPAN|IFRAME)/g, (tag) => tag.toLowerCase())
  );
}

/**
 * Parses a text and serialises the tree as a browser does. If parsing that result gives the same
 * tree, returns the text unchanged, else the result. The trees differ for links within links, content that HTML
 * forbids in a table (parsers place it before the table), and a line break at the start of `pre`.
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
  const isStable = asBrowsersWriteIt(written) === written;
  return isStable && countIds(written) === countIds(text) ? text : written;
}

/**
 * Number of elements with an id, plus 1. Words of the text that look like an id may be counted as
 * well.
 */
function countIds(text: string): number {
  return text.split(' id="').length;
}

/** What a browser returns as the `innerHTML` of an element after the text was assigned to it. */
function asBrowsersWriteIt(text: string): string {
  return serialize(parseFragment(PARENT, text, { treeAdapter: boundedTree(text.length) }));
}

/** A parse5 tree adapter that throws HtmlLimitExceededError above DEPTH_MAX or GROWTH_MAX. */
function boundedTree(textLength: number): TreeAdapter<DefaultTreeAdapterMap> {
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
      return defaultTreeAdapter.createElement(tagName, namespace, attributes);
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
const CONTROL = /[\0-\x08\v-\x1f\x7f]/;

/** Runs before and after parsing, because a character reference can stand for a control character. */
function normalizeCharacters(text: string): string {
  const wellFormed = text.toWellFormed();
  if (!CONTROL.test(wellFormed)) return wellFormed;
  return (
    wellFormed
      .replace(/\r\n?/g, '\n')
      // A form feed separates attributes as a blank does, so it becomes one.
      .replace(/\f/g, ' ')
      .replace(/[\0-\x08\v\x0e-\x1f\x7f]/g, '')
  );
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

import {
  defaultTreeAdapter,
  type DefaultTreeAdapterMap,
  html as htmlSyntax,
  parseFragment,
  serialize,
  type TreeAdapter,
} from 'parse5';
import sanitizeHtml from 'sanitize-html';

/**
 * The version of the HTML policy below, stored with every text as `htmlVersion`. Increment it with any
 * change that cleans a text differently: texts of older versions are then cleaned again.
 */
export const HTML_VERSION = 2;

declare const CLEAN: unique symbol;

/** A text that `cleanHtml` returned. No other text has this type, so no other text can be stored. */
export type CleanHtml = string & { readonly [CLEAN]: true };

/** The allowed elements. Without attributes, `div` and `span` would have no meaning. */
const TAGS = (
  'h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd blockquote hr br pre code figure figcaption img a ' +
  'table caption thead tbody tfoot tr th td details summary ' +
  'strong em b i u s del ins sub sup small mark kbd samp var abbr cite q dfn'
).split(' ');

/** Elements that are removed with their content. Of other forbidden elements the content is kept. */
const TAGS_DROPPED_WITH_CONTENT = (
  'script style noscript template title iframe frameset noframes noembed object applet audio ' +
  'video canvas svg math textarea select option optgroup datalist button xmp plaintext'
).split(' ');

/** Forbidden blocks. A line break replaces their tags, so that their text does not run together. */
const UNWRAPPED_BLOCK =
  /<\/?(?:address|article|aside|center|div|fieldset|footer|form|header|hgroup|legend|main|nav|section)(?=[\s/>])/gi;

/** Returns the value to write, or '' to leave the attribute out (`alt` may stay empty). */
type AttributeRule = (value: string) => string;

const asWritten: AttributeRule = (value) => value;
const matching =
  (pattern: RegExp): AttributeRule =>
  (value) =>
    pattern.test(value) ? value : '';

/**
 * The URLs that a link may have: http, https or mailto, a path on the same host, or a fragment. A
 * second slash or a backslash is refused, because browsers read it as the start of a host.
 */
const LINK_URL = /^(?:https?:\/\/[^/\\]|mailto:.|\/(?![/\\])|#)/i;
const IMAGE_URL = /^(?:https?:\/\/[^/\\]|\/(?![/\\]))/i;
/** Browsers remove these characters from a URL: they read `/<tab>/host` as `//host`. */
const URL_CONTROL = /[\0-\x1f\x7f]/;

const url =
  (pattern: RegExp): AttributeRule =>
  (value) => {
    const trimmed = value.trim();
    return pattern.test(trimmed) && !URL_CONTROL.test(trimmed) ? trimmed : '';
  };

const language: AttributeRule = (value) =>
  value.split(/\s+/).find((token) => /^language-[\w+#.-]+$/.test(token)) ?? '';
const pixels = matching(/^\d{1,5}$/);
const span = matching(/^[1-9]\d{0,2}$/);

/** The allowed attributes: for each element, the rule of each attribute. */
const ATTRIBUTES: Readonly<Record<string, Readonly<Record<string, AttributeRule>>>> = {
  a: { href: url(LINK_URL), title: asWritten },
  img: { src: url(IMAGE_URL), alt: asWritten, title: asWritten, width: pixels, height: pixels },
  pre: { class: language },
  code: { class: language },
  abbr: { title: asWritten },
  td: { colspan: span, rowspan: span },
  th: { colspan: span, rowspan: span, scope: matching(/^(?:row|col|rowgroup|colgroup)$/) },
};

/**
 * The greatest depth of nested elements, which is also that of browsers. The parser searches its open
 * elements at every end tag, so without a limit the time would grow with the square of the length.
 */
const DEPTH_MAX = 512;

/** Thrown when a text exceeds DEPTH_MAX or GROWTH_MAX. */
class HtmlLimitExceededError extends Error {}

/** Almost every text needs one round, links within links need two; the rest is a margin. */
const ROUNDS_MAX = 8;

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: TAGS,
  nonTextTags: TAGS_DROPPED_WITH_CONTENT,
  allowedAttributes: Object.fromEntries(
    Object.entries(ATTRIBUTES).map(([tag, rules]) => [tag, Object.keys(rules)]),
  ),
  transformTags: Object.fromEntries(
    Object.entries(ATTRIBUTES).map(([tag, rules]) => [tag, attributeFilter(rules)]),
  ),
  // A second check after the URL patterns.
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
};

function attributeFilter(rules: Readonly<Record<string, AttributeRule>>): sanitizeHtml.Transformer {
  return (tagName, attribs) => {
    const kept: sanitizeHtml.Attributes = {};
    for (const [name, rule] of Object.entries(rules)) {
      const value = attribs[name];
      if (value !== undefined) {
        kept[name] = rule(value);
      }
    }
    return { tagName, attribs: kept };
  };
}

/**
 * Cleans the HTML of an article by the allow-lists above. The result is safe in the body of a page in
 * any browser: it contains only allowed elements, quoted attributes and escaped text.
 *
 * The result has two properties:
 *
 * - Cleaning it again changes nothing. One pass of sanitize-html does not ensure this: when it removes
 *   a forbidden element, the rest can have another meaning. In `<p><x-y><p>`, the second `p` closes the
 *   first only after `x-y` is removed.
 * - If a browser parses it and serialises the tree, parsing that again gives the same tree. Some texts
 *   lack this property: `<a><table><a>` becomes a link within a link, which HTML cannot express (see
 *   {@link normalizeTree}).
 *
 * So the passes are repeated until one changes nothing. If that does not happen within ROUNDS_MAX, or
 * the text exceeds DEPTH_MAX or GROWTH_MAX, the whole input is escaped and becomes plain text.
 *
 * @param html Any text. The time is linear in its length, which the caller limits.
 * @returns Clean HTML, '' when nothing is left. Line ends are LF; NUL and other control characters
 *   are gone; lone surrogates are U+FFFD.
 */
export function cleanHtml(html: string): CleanHtml {
  const source = normalizeCharacters(html);
  try {
    let text = pass(source.replace(UNWRAPPED_BLOCK, '\n$&'));
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const normalized = normalizeTree(text);
      const next = pass(normalized);
      if (normalized === text && next === text) {
        return text as CleanHtml;
      }
      text = next;
    }
  } catch (error) {
    if (!(error instanceof HtmlLimitExceededError)) {
      throw error;
    }
  }
  return escapeText(source) as CleanHtml;
}

function pass(html: string): string {
  let depth = 0;
  const cleaned = sanitizeHtml(html, {
    ...OPTIONS,
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
      // An image whose source was refused shows nothing.
      .replace(/<img(?: (?!src=)[a-z]+="[^"]*")* \/>/g, '')
      // Parsers drop one line break after `<pre>`, so every further pass would drop another one.
      .replace(/(<pre(?: class="[^"]*")?>)\n+/g, '$1')
  );
}

/**
 * Parses and serialises a text as a browser does. Returns the text unchanged if parsing the result
 * gives the same tree, else the result. The trees differ for links within links, content that HTML
 * forbids in a table (parsers move it before the table), and a line break at the start of `pre`.
 *
 * @param text what {@link pass} returned
 */
function normalizeTree(text: string): string {
  const written = asBrowsersWriteIt(text);
  // If only void elements differ (`<br />`, `<br>`), there is no need to parse it again.
  if (written === text.replaceAll(' />', '>')) {
    return text;
  }
  return asBrowsersWriteIt(written) === written ? text : written;
}

/** The `innerHTML` of an element after the text was assigned to it. */
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
 * How many times longer than its text a tree may be. A parser opens the inline elements of a paragraph
 * again in every block after it: one link of 50 KB and 5,000 blocks would make 250 MB.
 */
const GROWTH_MAX = 2;

/** The parent of the text. By default parse5 uses a `template`, where `td` may stand alone. */
const PARENT = defaultTreeAdapter.createElement('div', htmlSyntax.NS.HTML, []);

/** Runs before and after parsing, because a character reference can stand for a control character. */
function normalizeCharacters(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/\r\n?/g, '\n')
      // A form feed separates attributes as a blank does, so it becomes one.
      .replace(/\f/g, ' ')
      .replace(/[\0-\x08\v\x0e-\x1f\x7f]/g, '')
  );
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

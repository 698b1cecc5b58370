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
 * The version of the policy below, stored with every text as `htmlVersion` (design, section 1).
 * Raise it with any change that cleans a text differently: older texts are then cleaned anew.
 */
export const HTML_VERSION = 2;

declare const CLEAN: unique symbol;

/** What a cleaning has returned, and nothing else: the compiler lets no other text be stored. */
export type CleanHtml = string & { readonly [CLEAN]: true };

/**
 * Contract, section 8. `div` and `span` are left out: without attributes they say nothing.
 */
const TAGS = (
  'h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd blockquote hr br pre code figure figcaption img a ' +
  'table caption thead tbody tfoot tr th td details summary ' +
  'strong em b i u s del ins sub sup small mark kbd samp var abbr cite q dfn'
).split(' ');

/** Elements whose content is no text of the article; all others are unwrapped. */
const TAGS_DROPPED_WITH_CONTENT = (
  'script style noscript template title iframe frameset noframes noembed object applet audio ' +
  'video canvas svg math textarea select option optgroup datalist button xmp plaintext'
).split(' ');

/** What stood on lines of its own must not run together once these are unwrapped. */
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
 * One pattern says all, so that no parser's leniency is relied on: a scheme with its slashes spelt
 * out, or one slash that no second slash or backslash follows, or a fragment.
 */
const LINK_URL = /^(?:https?:\/\/[^/\\]|mailto:.|\/(?![/\\])|#)/i;
const IMAGE_URL = /^(?:https?:\/\/[^/\\]|\/(?![/\\]))/i;
/** Browsers cut these out of a URL before they read it: `/<tab>/host` is `//host`. */
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

/** Every attribute that is let through: element, attribute, rule. */
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
 * Browsers flatten a tree below 512 open elements, and no writing tool nests as deep. The parser
 * searches its open elements at every end tag: without a bound a hostile text costs the square of
 * its length.
 */
const DEPTH_MAX = 512;

/** Thrown when a text asks for more work than any article is worth. */
class UnreasonableError extends Error {}

/** Almost every text settles in one round, links within links take one more; the rest is margin. */
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
  // A second fence behind the URL patterns.
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
 * Cleans the HTML of an article by the allow-list of the contract, section 8. Its output is safe
 * in the body of a page of any browser: it holds only allowed elements with quoted attributes and
 * escaped text, and none of the elements in which a parser reads text by other rules.
 *
 * Two properties hold of it, so that neither cleaning anew nor an editor that reads it into a page
 * and writes it out again can change it into something else:
 *
 * - Cleaning twice gives the same text. One pass of the library does not: it writes down how its
 *   parser understood the text, and once a forbidden element is gone the same parser understands
 *   the rest differently (in `<p><x-y><p>` the second `p` closes the first only when `x-y` is away).
 * - A browser reads it as a tree that it reads again from what it writes. Not every text is such:
 *   `<a><table><a>` becomes a link within a link, which no text can say (see {@link settle}).
 *
 * So passes are repeated until one changes nothing, and the text returned is one that all rules
 * leave alone. Should that ever fail, or should elements nest absurdly deep, the whole input becomes
 * plain text, which is safe and stable and loses nothing.
 *
 * @param html Any text. The cost is linear in its length; the caller bounds it.
 * @returns Clean HTML, '' when nothing is left. Line ends are LF; NUL and other control characters
 *   are gone; lone surrogates are U+FFFD.
 */
export function cleanHtml(html: string): CleanHtml {
  const source = normalizeCharacters(html);
  try {
    let text = pass(source.replace(UNWRAPPED_BLOCK, '\n$&'));
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const settled = settle(text);
      const next = pass(settled);
      if (settled === text && next === text) {
        return text as CleanHtml;
      }
      text = next;
    }
  } catch (error) {
    if (!(error instanceof UnreasonableError)) {
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
        throw new UnreasonableError();
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
      // Browsers skip one line break here; left in, each trip through one would eat another.
      .replace(/(<pre(?: class="[^"]*")?>)\n+/g, '$1')
  );
}

/**
 * Leaves a text alone when a browser reads the same tree from it as from what it would write for
 * that tree. Returns what it would write otherwise: links within links, content that a table drove
 * out in front of itself, a line break that `pre` swallows.
 *
 * @param text what {@link pass} returned
 */
function settle(text: string): string {
  const written = asBrowsersWriteIt(text);
  // The two spell void elements differently; if that is all, there is no need to read it again.
  if (written === text.replaceAll(' />', '>')) {
    return text;
  }
  return asBrowsersWriteIt(written) === written ? text : written;
}

/** The `innerHTML` of an element of a page into which the text was written. */
function asBrowsersWriteIt(text: string): string {
  return serialize(parseFragment(PARENT, text, { treeAdapter: boundedTree(text.length) }));
}

/** A tree that gives up when it outgrows its text, or what the next pass would take. */
function boundedTree(textLength: number): TreeAdapter<DefaultTreeAdapterMap> {
  let room = Math.max(textLength, 100) * GROWTH_MAX;
  // The parser opens an `html` of its own around everything.
  let depth = -1;
  return {
    ...defaultTreeAdapter,
    createElement: (tagName, namespace, attributes) => {
      room -= tagName.length;
      for (const { value } of attributes) {
        room -= value.length;
      }
      if (room < 0) {
        throw new UnreasonableError();
      }
      return defaultTreeAdapter.createElement(tagName, namespace, attributes);
    },
    onItemPush: () => {
      depth += 1;
      if (depth > DEPTH_MAX) {
        throw new UnreasonableError();
      }
    },
    onItemPop: () => {
      depth -= 1;
    },
  };
}

/**
 * A block that closes a paragraph takes over the inline elements open in it, and so does every block
 * after it: one link of 50 KB and five thousand blocks would make 250 MB.
 */
const GROWTH_MAX = 2;

/** Without it the text would be read as the content of a `template`, where `td` may stand alone. */
const PARENT = defaultTreeAdapter.createElement('div', htmlSyntax.NS.HTML, []);

/** Character references can bring back what was removed before parsing: it runs on both sides. */
function normalizeCharacters(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/\r\n?/g, '\n')
      // A form feed separates attributes, as a blank does; simply removed it would join them.
      .replace(/\f/g, ' ')
      .replace(/[\0-\x08\v\x0e-\x1f\x7f]/g, '')
  );
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/**
 * Checks the value of an attribute. Returns the value to write, or '' to leave the attribute out
 * (`alt` may stay empty).
 */
type AttributeRule = (value: string) => string;

/** The allowed attributes of an element, each with its rule. */
export type AttributeRules = Readonly<Record<string, AttributeRule>>;

/**
 * The allowed elements. `div` and `span` are left out, because without attributes they have no
 * meaning; but see ANCHOR.
 */
const TAGS = (
  'h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd blockquote hr br pre code figure figcaption img a ' +
  'table caption thead tbody tfoot tr th td details summary ' +
  'strong em b i u s del ins sub sup small mark kbd samp var abbr cite q dfn'
).split(' ');

/**
 * Elements that are removed with their content. The content of other forbidden elements is kept.
 */
export const TAGS_DROPPED_WITH_CONTENT: readonly string[] = (
  'script style noscript template title iframe frameset noframes noembed object applet audio ' +
  'video canvas svg math textarea select option optgroup datalist button xmp plaintext'
).split(' ');

/**
 * A forbidden element that has an id, and whose content is kept, gets this name while the text is
 * cleaned. If a link leads to the id, the element becomes a `span`. The parser gives no element of
 * the source a name in capital letters.
 */
export const ANCHOR = 'SPAN';

/** The tags of forbidden blocks. A line break is put before each, so that their texts do not run together. */
export const UNWRAPPED_BLOCK =
  /<\/?(?:address|article|aside|center|div|fieldset|footer|form|header|hgroup|legend|main|nav|section)(?=[\s/>])/gi;

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
/** Control characters. Browsers remove some of them from a URL: they read `/<tab>/host` as `//host`. */
export const URL_CONTROL = /[\0-\x1f\x7f]/;

const url =
  (pattern: RegExp): AttributeRule =>
  (value) => {
    const trimmed = value.trim();
    return pattern.test(trimmed) && !URL_CONTROL.test(trimmed) ? trimmed : '';
  };

const language: AttributeRule = (value) =>
  value.split(/\s+/).find((token) => /^language-[\w+#.-]+$/.test(token)) ?? '';
export const pixels = matching(/^\d{1,5}$/);
const cellSpan = matching(/^[1-9]\d{0,2}$/);

/** The allowed attributes other than `id`, of the elements that have any. */
export const ATTRIBUTES: Readonly<Record<string, AttributeRules>> = {
  // Browsers follow a fragment to the `name` of an `a` too. `setAnchors` turns it into an `id`.
  a: { name: asWritten, href: url(LINK_URL), title: asWritten },
  img: { src: url(IMAGE_URL), alt: asWritten, title: asWritten, width: pixels, height: pixels },
  pre: { class: language },
  code: { class: language },
  abbr: { title: asWritten },
  td: { colspan: cellSpan, rowspan: cellSpan },
  th: { colspan: cellSpan, rowspan: cellSpan, scope: matching(/^(?:row|col|rowgroup|colgroup)$/) },
};

/** The allowed elements, each with its attributes other than `id`. */
export const ALLOWED: ReadonlyMap<string, AttributeRules> = new Map(
  TAGS.map((tag) => [tag, ATTRIBUTES[tag] ?? {}]),
);

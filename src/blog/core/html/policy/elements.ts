import {
  asWritten,
  cellScope,
  cellSpan,
  checkbox,
  codeLanguage,
  direction,
  imageUrl,
  integer,
  languageTag,
  linkRelation,
  linkUrl,
  listStyle,
  mediaCondition,
  mediaType,
  mediaUrl,
  pictures,
  pixels,
  present,
  trackKind,
  type AttributeRules,
} from './attribute-rules.ts';

/**
 * The allowed elements. `div` and `span` are left out, because without attributes they have no
 * meaning; but see ANCHOR.
 */
const TAGS = (
  'h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd blockquote hr br pre code figure figcaption img a ' +
  'table caption colgroup col thead tbody tfoot tr th td details summary ' +
  'strong em b i u s del ins sub sup small mark kbd samp var abbr cite q dfn bdi bdo ruby rt rp ' +
  'picture video audio source track input'
).split(' ');

/**
 * Elements that are removed with their content. The content of other forbidden elements is kept.
 * `repairSource` also removes a `video` or `audio` that has nothing to play.
 */
export const TAGS_DROPPED_WITH_CONTENT: readonly string[] = (
  'script style noscript template title iframe frameset noframes noembed object applet ' +
  'canvas svg math textarea select option optgroup datalist button xmp plaintext'
).split(' ');

/**
 * A forbidden element that has an id, a language or a direction, and whose content is kept, gets
 * this name while the text is cleaned. It becomes a `span` if a link leads to the id, or if it has
 * another attribute. The parser gives no element of the source a name in capital letters.
 */
export const ANCHOR = 'SPAN';

/** The attributes that every element may have, besides `id`. */
export const GLOBAL_ATTRIBUTES: AttributeRules = { dir: direction, lang: languageTag };

/** `controls` is added to every `video` and `audio`: without them it could not be played. */
const MEDIA_ATTRIBUTES: AttributeRules = { src: mediaUrl, controls: present('controls') };
const SIZE: AttributeRules = { width: pixels, height: pixels };

/** The other allowed attributes, of the elements that have any. */
export const ATTRIBUTES: Readonly<Record<string, AttributeRules>> = {
  // Browsers follow a fragment to the `name` of an `a` too. `setAnchors` turns it into an `id`.
  a: { name: asWritten, href: linkUrl, title: asWritten, rel: linkRelation },
  img: {
    src: imageUrl,
    srcset: pictures,
    sizes: mediaCondition,
    alt: asWritten,
    title: asWritten,
    ...SIZE,
  },
  video: { ...MEDIA_ATTRIBUTES, poster: mediaUrl, ...SIZE },
  audio: MEDIA_ATTRIBUTES,
  source: {
    src: mediaUrl,
    srcset: pictures,
    sizes: mediaCondition,
    media: mediaCondition,
    type: mediaType,
    ...SIZE,
  },
  track: {
    src: mediaUrl,
    kind: trackKind,
    srclang: languageTag,
    label: asWritten,
    default: present('default'),
  },
  input: { type: checkbox, checked: present('checked'), disabled: present('disabled') },
  pre: { class: codeLanguage },
  code: { class: codeLanguage },
  abbr: { title: asWritten },
  ol: { start: integer, reversed: present('reversed'), type: listStyle },
  li: { value: integer },
  col: { span: cellSpan },
  colgroup: { span: cellSpan },
  // `setAnchors` keeps the ids of `headers` that are those of cells, and writes it as the last attribute.
  td: { colspan: cellSpan, rowspan: cellSpan, headers: asWritten },
  th: {
    colspan: cellSpan,
    rowspan: cellSpan,
    scope: cellScope,
    abbr: asWritten,
    headers: asWritten,
  },
};

/** The attributes that an element gets, whatever the source has. */
export const ADDED_ATTRIBUTES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  video: { controls: 'controls' },
  audio: { controls: 'controls' },
  input: { disabled: 'disabled' },
};

/** The elements that are removed unless one of these attributes is left. */
export const REQUIRED_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  img: ['src', 'srcset'],
  source: ['src', 'srcset'],
  track: ['src'],
  input: ['type'],
};

/** The allowed elements, each with its attributes other than `id`. */
export const ALLOWED: ReadonlyMap<string, AttributeRules> = new Map(
  TAGS.map((tag) => [tag, { ...GLOBAL_ATTRIBUTES, ...ATTRIBUTES[tag] }]),
);

/** Whether the element plays something. Its content is what browsers show that cannot play it. */
export function isMedia(name: string): boolean {
  return name === 'video' || name === 'audio';
}

/** Whether an element has the URL of a video or audio file that is allowed. */
export function hasMediaUrl(attributes: Readonly<Record<string, string>>): boolean {
  return mediaUrl(attributes['src'] ?? '') !== '';
}

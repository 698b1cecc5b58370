// Worker threads import this file, so its import ends in `.ts`.
import { srcsetCandidates } from '../../../../platform/text/srcset.ts';

/**
 * Checks the value of an attribute. Returns the value to write, or '' to leave the attribute out
 * (`alt` may stay empty).
 */
export type AttributeRule = (value: string) => string;

/** The attributes of an element, each with its rule. */
export type AttributeRules = Readonly<Record<string, AttributeRule>>;

export const asWritten: AttributeRule = (value) => value;

const matching =
  (pattern: RegExp): AttributeRule =>
  (value) =>
    pattern.test(value) ? value : '';

/** An attribute without a value, which is written with its name as value. */
export const present =
  (name: string): AttributeRule =>
  () =>
    name;

/** Control characters. Browsers remove some of them from a URL: they read `/<tab>/host` as `//host`. */
const URL_CONTROL = /[\0-\x1f\x7f]/;

const url =
  (pattern: RegExp): AttributeRule =>
  (value) => {
    const trimmed = value.trim();
    return pattern.test(trimmed) && !URL_CONTROL.test(trimmed) ? trimmed : '';
  };

/**
 * The URLs that a link may have: http, https, mailto or tel, a path on the same host, or a fragment.
 * A second slash or a backslash is refused, because browsers read it as the start of a host.
 */
export const linkUrl = url(
  /^(?:https?:\/\/[^/\\]|mailto:.|tel:\+?[\d(*#](?:[\d().*#;=,\w -]|%20){0,99}$|\/(?![/\\])|#)/i,
);
export const imageUrl = url(/^(?:https?:\/\/[^/\\]|\/(?![/\\]))/i);
/** The URLs that a file to play, or a page in an `iframe`, may have. */
export const mediaUrl = url(/^https:\/\/[^/\\]/i);

/** A width, perhaps with a height, which browsers ignore; or a density. */
const DESCRIPTOR = /^(?:([1-9]\d{0,4})w(?:\s+\d{1,5}h)?|(\d{1,2}(?:\.\d{1,3})?|\.\d{1,3})x)?$/;

/** Keeps the pictures of a `srcset` that an `img` could show too. */
export const pictures: AttributeRule = (value) =>
  srcsetCandidates(value)
    .flatMap(({ address, descriptor }) => {
      const [match, width, density] = DESCRIPTOR.exec(descriptor) ?? [];
      const picture = match === undefined || Number(density) === 0 ? '' : imageUrl(address);
      if (picture === '') return [];
      if (width !== undefined) return `${picture} ${width}w`;
      return density === undefined ? picture : `${picture} ${Number(density)}x`;
    })
    .join(', ');

/** Media conditions and lengths, such as `(min-width: 600px) 50vw, 100vw` or `(width >= 600px)`. */
export const mediaCondition = matching(/^(?:[\w\s().,:%+*/-]|(?:[<>]=?|=)(?=[\s\d])){1,500}$/);
export const mediaType = matching(
  /^(?:image|video|audio)\/[\w.+-]{1,60}(?:; ?codecs=["']?[\w., -]{1,100}["']?)?$/i,
);
export const trackKind = matching(/^(?:subtitles|captions|descriptions|chapters|metadata)$/i);
export const languageTag = matching(/^[a-z]{1,8}(?:-[a-z\d]{1,8}){0,7}$/i);
export const direction = matching(/^(?:ltr|rtl|auto)$/i);
export const listStyle = matching(/^[1aAiI]$/);
export const integer = matching(/^-?\d{1,9}$/);
export const pixels = matching(/^\d{1,5}$/);
export const cellSpan = matching(/^[1-9]\d{0,2}$/);
export const cellScope = matching(/^(?:row|col|rowgroup|colgroup)$/);
export const checkbox: AttributeRule = (value) => (/^checkbox$/i.test(value) ? 'checkbox' : '');

/** What an author may say about a link. */
export const linkRelation: AttributeRule = (value) =>
  tokensOf(value.toLowerCase(), /^(?:sponsored|nofollow|ugc)$/).join(' ');

/** The class by which highlighters know the language of code. */
export const codeLanguage: AttributeRule = (value) =>
  tokensOf(value, /^language-[\w+#.-]+$/)[0] ?? '';

function tokensOf(value: string, pattern: RegExp): string[] {
  return [...new Set(value.split(/\s+/))].filter((token) => pattern.test(token));
}

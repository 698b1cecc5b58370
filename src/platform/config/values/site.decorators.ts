import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsOptional, Matches } from 'class-validator';

/**
 * Maximum length of the URL of a site, and of the path of an article, in characters. Together with the longest
 * slug they stay within the length of a URL that the sitemap protocol allows.
 */
const MAX_LENGTH = 500;

/** What an invalid value is parsed to. `Matches` below refuses it. */
const INVALID = '';

/**
 * An optional setting that is parsed.
 *
 * @param parse returns INVALID for a text that the setting cannot have
 * @param expected what the setting must be, for the message
 */
const Parsed = (parse: (text: string) => string, expected: string): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? parse(value) : value,
    ),
    IsOptional(),
    Matches(/./, { message: ({ property }) => `${property} must be ${expected}` }),
  );

/** An http or https URL without credentials, query and fragment. Slashes at the end are removed. */
export const SiteUrl = (): PropertyDecorator =>
  Parsed(
    parseSiteUrl,
    'an http or https URL such as https://blog.example.org, without user, ' +
      `query and fragment, of ${MAX_LENGTH} characters at most`,
  );

/** A path with `{slug}`, `{id}` or both. All other characters are those that a URL may contain. */
export const SitePath = (): PropertyDecorator =>
  Matches(
    new RegExp(
      `^(?=.{1,${MAX_LENGTH}}$)(?=.*\\{(?:slug|id)\\})/(?:[\\w\\-.~!$&'()*+,;=:@/?%]|\\{slug\\}|\\{id\\})*$`,
    ),
    {
      message:
        'SITE_ARTICLE_PATH must be a path such as /articles/{slug}, with {slug} or {id}, of ' +
        `${MAX_LENGTH} characters at most`,
    },
  );

/** A language tag of BCP 47 in its canonical form, such as `pt-BR`. */
export const LanguageTag = (): PropertyDecorator =>
  Parsed(canonicalTag, 'a language tag such as de or pt-BR');

function canonicalTag(text: string): string {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? INVALID;
  } catch {
    return INVALID;
  }
}

function parseSiteUrl(text: string): string {
  const url = URL.parse(text);
  const isValid =
    url !== null &&
    /^https?:\/\/[^\s?#@]+$/i.test(text) &&
    text.length <= MAX_LENGTH &&
    `${url.username}${url.password}` === '';
  return isValid ? url.href.replace(/\/+$/, '') : INVALID;
}

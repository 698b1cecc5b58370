import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsOptional, Matches } from 'class-validator';

/**
 * Longest URL of a site, in characters. It leaves room for the longest slug within the length of a
 * URL that the sitemap protocol allows.
 */
const LENGTH_MAX = 500;

/** The parsed value of a text that is no URL of a site: the check refuses it. */
const NO_SITE = '';

/** An http or https URL, without credentials, query and fragment; a slash at the end is removed. */
export const SiteUrl = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? siteOf(value) : value,
    ),
    IsOptional(),
    Matches(/./, {
      message: ({ property }) =>
        `${property} must be an http or https URL such as https://blog.example.org, without user, ` +
        `query and fragment, of ${LENGTH_MAX} characters at most`,
    }),
  );

/** A path with `{slug}`, `{id}` or both, in the characters that a URL has. */
export const SitePath = (): PropertyDecorator =>
  Matches(
    new RegExp(
      `^(?=.{1,${LENGTH_MAX}}$)(?=.*\\{(?:slug|id)\\})/(?:[\\w\\-.~!$&'()*+,;=:@/?%]|\\{slug\\}|\\{id\\})*$`,
    ),
    {
      message:
        'SITE_ARTICLE_PATH must be a path such as /articles/{slug}, with {slug} or {id}, of ' +
        `${LENGTH_MAX} characters at most`,
    },
  );

function siteOf(text: string): string {
  const url = URL.parse(text);
  const isSite =
    url !== null &&
    /^https?:\/\/[^\s?#@]+$/i.test(text) &&
    text.length <= LENGTH_MAX &&
    `${url.username}${url.password}` === '';
  return isSite ? url.href.replace(/\/+$/, '') : NO_SITE;
}

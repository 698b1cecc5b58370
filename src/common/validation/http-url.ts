import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { isURL, ValidateBy, ValidateIf } from 'class-validator';
import { LRUCache } from 'lru-cache';
import { trimmed } from './text.decorator.js';

const MAX_LENGTH = 500;

const CONTROL_CHARACTER = /\p{Cc}/u;

/** isURL takes `http:example.org` as well, which a browser may read as a relative address. */
const HTTP_SCHEME = /^https?:\/\//i;

/** Lists show the same pictures over and over, and the check costs as much as all else of an item. */
const known = new LRUCache<string, { readonly isHttpUrl: boolean }>({ max: 10_000 });

/** An absolute http or https address of at most 500 characters. */
export function isHttpUrl(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return false;
  const verdict = known.get(value) ?? { isHttpUrl: looksLikeHttpUrl(value) };
  known.set(value, verdict);
  return verdict.isHttpUrl;
}

function looksLikeHttpUrl(value: string): boolean {
  return (
    value.isWellFormed() &&
    // isURL lets NUL and its like pass in a path.
    !CONTROL_CHARACTER.test(value) &&
    HTTP_SCHEME.test(value) &&
    isURL(value, { protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  );
}

/** Optional; `null` is let through for the service, where it removes what is stored. */
export function HttpUrl(options: { example: string }): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: String,
      format: 'uri',
      maxLength: MAX_LENGTH,
      nullable: true,
      ...options,
    }),
    Transform(trimmed),
    ValidateIf((_: object, value: unknown) => value !== undefined && value !== null),
    ValidateBy({
      name: 'httpUrl',
      validator: {
        validate: isHttpUrl,
        defaultMessage: (args) =>
          `${args?.property} must be an http or https URL of at most ${MAX_LENGTH} characters`,
      },
    }),
  );
}

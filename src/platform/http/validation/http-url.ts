import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, isURL } from 'class-validator';
import { LRUCache } from 'lru-cache';
import { orderProblem } from '../../text/characters.js';
import { Check, Parse } from './check.decorators.js';

const MAX_LENGTH = 500;

const CONTROL_CHARACTER = /\p{Cc}/u;

/**
 * The scheme of a URL. `isURL` also accepts `http:example.org`, which a browser may resolve as a
 * relative URL.
 */
const HTTP_SCHEME = /^https?:\/\//i;

/** Results by URL, because the check is slow and lists show the same pictures again and again. */
const checked = new LRUCache<string, { readonly isHttpUrl: boolean }>({ max: 10_000 });

/** Whether the value is an absolute http or https URL of at most 500 characters. */
export function isHttpUrl(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return false;
  const result = checked.get(value) ?? { isHttpUrl: looksLikeHttpUrl(value) };
  checked.set(value, result);
  return result.isHttpUrl;
}

function looksLikeHttpUrl(value: string): boolean {
  return (
    value.isWellFormed() &&
    // `isURL` allows control characters such as NUL in a path.
    !CONTROL_CHARACTER.test(value) &&
    HTTP_SCHEME.test(value) &&
    isURL(value, { protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  );
}

interface HttpUrlOptions {
  readonly example: string;
  readonly description?: string;
  /** Whether the service checks the order of the characters, because a request may repeat the stored URL. */
  readonly isCheckedByService?: boolean;
}

/** Declares an optional URL of a picture or page; `null` removes the stored one. */
export function HttpUrl({
  example,
  description,
  isCheckedByService = false,
}: HttpUrlOptions): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: String,
      format: 'uri',
      maxLength: MAX_LENGTH,
      nullable: true,
      example,
      ...(description === undefined ? {} : { description }),
    }),
    Parse((text) => text.trim()),
    IsOptional(),
    Check((value) => {
      if (!isHttpUrl(value)) {
        return `must be an http or https URL of at most ${MAX_LENGTH} characters`;
      }
      return isCheckedByService ? null : orderProblem(value);
    }),
  );
}

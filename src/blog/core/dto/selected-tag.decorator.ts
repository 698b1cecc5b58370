import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Check, Parse } from '../../../platform/http/validation/check.decorators.js';
import { Optional } from '../../../platform/http/validation/text.decorator.js';
import { earlierTagKey } from '../text/words.js';

/** Length of the longest tag that a request may name, in characters. No stored tag is as long. */
const LENGTH_MAX = 200;

type Problem = (value: unknown, dto: object) => string | null;

/** @param problemOf returns what is wrong with the tag apart from its length; null if nothing is */
const RequestedTag = (description: string, problemOf: Problem): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: String,
      minLength: 1,
      maxLength: LENGTH_MAX,
      example: 'computing',
      description,
    }),
    Optional(),
    // The length is that of the tag as written: its key may be longer.
    Parse((tag) => (tag.trim().length > LENGTH_MAX ? '' : earlierTagKey(tag))),
    Check((tag, dto) =>
      typeof tag !== 'string' || tag === ''
        ? `must have 1 to ${LENGTH_MAX} characters`
        : problemOf(tag, dto),
    ),
  );

/** Declares the field `tag` of a query. */
export const TagFilter = (): PropertyDecorator =>
  RequestedTag('Only articles with this tag; case is ignored', () => null);

/** Declares the field `tag` of a query that selects articles by a tag or by an `author`, not both. */
export const SelectedTag = (): PropertyDecorator =>
  RequestedTag(
    'Only articles with this tag; case is ignored. Not together with `author`.',
    (_tag, { author }: { readonly author?: unknown }) =>
      author === undefined ? null : 'must not stand beside author',
  );

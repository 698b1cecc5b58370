import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Check, Parse } from '../../common/validation/check.decorators.js';
import { Optional } from '../../common/validation/text.decorator.js';
import { tagKey } from '../text/words.js';

/** Longer than any tag. */
const LENGTH_MAX = 200;

/** @returns the key of a tag that stands in a path or a query */
export function requestedTagKey(tag: string): string {
  return tagKey(tag.trim());
}

/** `tag` of a query that selects articles by a tag or by an `author`, not both. */
export const SelectedTag = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: String,
      minLength: 1,
      maxLength: LENGTH_MAX,
      example: 'computing',
      description: 'Only articles with this tag; case is ignored. Not with `author`.',
    }),
    Optional(),
    Parse(requestedTagKey),
    Check((tag, { author }: { readonly author?: unknown }) => {
      const length = typeof tag === 'string' ? tag.length : 0;
      if (length === 0 || length > LENGTH_MAX) return `must have 1 to ${LENGTH_MAX} characters`;
      return author === undefined ? null : 'must not stand beside author';
    }),
  );

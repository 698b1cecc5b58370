import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Types } from 'mongoose';
import { OBJECT_ID_PATTERN } from '../../../platform/http/object-id/object-id.param.js';
import { EXAMPLE_ID } from '../../../platform/http/openapi/properties.js';
import { Check } from '../../../platform/http/validation/check.decorators.js';
import { Optional } from '../../../platform/http/validation/text.decorator.js';

const MAX_MENTIONS = 20;

/** The ids of the people whom a comment mentions, parsed into ObjectIds. */
export function Mentions(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: 'array',
      items: { type: 'string', pattern: OBJECT_ID_PATTERN.source },
      maxItems: MAX_MENTIONS,
      example: [EXAMPLE_ID],
      description: 'People who get a notice; each must be allowed to comment on the blog',
    }),
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value) ? value.map((id) => parseId(id)) : value,
    ),
    Optional(),
    Check((value) =>
      Array.isArray(value) &&
      value.length <= MAX_MENTIONS &&
      value.every((id) => id instanceof Types.ObjectId)
        ? null
        : `must be a list of at most ${MAX_MENTIONS} ids of users`,
    ),
  );
}

function parseId(id: unknown): unknown {
  return typeof id === 'string' && OBJECT_ID_PATTERN.test(id) ? new Types.ObjectId(id) : id;
}

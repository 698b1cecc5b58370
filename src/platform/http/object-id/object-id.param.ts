import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Types } from 'mongoose';
import { EXAMPLE_ID } from '../openapi/properties.js';
import { Check, Parse } from '../validation/check.decorators.js';
import { Optional } from '../validation/text.decorator.js';

export const OBJECT_ID_PATTERN = /^[0-9a-fA-F]{24}$/;

interface ObjectIdOptions {
  readonly optional?: boolean;
  readonly description?: string;
}

/** Declares a field of 24 hexadecimal characters, parsed into an ObjectId. */
export function ObjectIdText(options: ObjectIdOptions = {}): PropertyDecorator {
  const { optional = false, description } = options;
  return applyDecorators(
    ApiProperty({
      type: String,
      pattern: OBJECT_ID_PATTERN.source,
      example: EXAMPLE_ID,
      required: !optional,
      ...(description === undefined ? {} : { description }),
    }),
    Parse((text) => (OBJECT_ID_PATTERN.test(text) ? new Types.ObjectId(text) : text)),
    ...(optional ? [Optional()] : []),
    Check((value) =>
      value instanceof Types.ObjectId ? null : 'must be 24 hexadecimal characters',
    ),
  );
}

/** The `{id}` in a path: 24 hexadecimal characters; anything else gets 400. */
export class ObjectIdParam {
  @ObjectIdText()
  readonly id!: Types.ObjectId;
}

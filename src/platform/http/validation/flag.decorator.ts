import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Check } from './check.decorators.js';
import { Optional } from './text.decorator.js';

/** Declares a boolean, without conversion from other types. */
export function Flag({ optional = false }: { optional?: boolean } = {}): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: Boolean, required: !optional, example: true }),
    ...(optional ? [Optional()] : []),
    Check((value) => (typeof value === 'boolean' ? null : 'must be true or false')),
  );
}

import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { Optional } from './text.decorator.js';

/** A boolean, without conversion from other types. */
export function Flag({ optional = false }: { optional?: boolean } = {}): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: Boolean, required: !optional, example: true }),
    ...(optional ? [Optional()] : []),
    ValidateBy({
      name: 'flag',
      validator: {
        validate: (value) => typeof value === 'boolean',
        defaultMessage: (args) => `${args?.property} must be true or false`,
      },
    }),
  );
}

import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import type { FieldError } from '../envelope/envelope.js';
import { CheckAll } from './check.decorators.js';
import { Optional } from './text.decorator.js';

interface ChoicesOptions {
  /** What the values are, in the plural. */
  readonly noun: string;
  readonly example: readonly string[];
  readonly description?: string;
  /** Smallest length of the list; 1 when left out. */
  readonly min?: number;
  /** Whether no value may stand in the list twice. */
  readonly unique?: true;
  readonly optional?: true;
  /** Whether `null` is allowed as well. */
  readonly nullable?: true;
}

/** Declares a list of some of these values. */
export function Choices(
  values: readonly string[],
  { noun, example, description, min = 1, unique, optional, nullable }: ChoicesOptions,
): PropertyDecorator {
  const max = values.length;
  const problemsOf = (value: unknown, field: string): FieldError[] => {
    const isList = Array.isArray(value) && value.length >= min && value.length <= max;
    if (!isList || (unique && new Set(value).size < value.length)) {
      const list = `a list of ${min} to ${max} ${unique ? 'different ' : ''}${noun}`;
      return [{ field, message: `${field} must be ${list}` }];
    }
    return value.flatMap((item: unknown, index) =>
      values.some((known) => known === item)
        ? []
        : [
            {
              field: `${field}.${index}`,
              message: `${field}.${index} must be one of ${values.join(', ')}`,
            },
          ],
    );
  };
  return applyDecorators(
    ApiProperty({
      isArray: true,
      enum: [...values],
      minItems: min,
      maxItems: max,
      example,
      required: optional !== true,
      ...(unique ? { uniqueItems: true } : {}),
      ...(nullable ? { nullable } : {}),
      ...(description === undefined ? {} : { description }),
    }),
    ...(nullable ? [IsOptional()] : []),
    ...(optional && !nullable ? [Optional()] : []),
    CheckAll(problemsOf),
  );
}

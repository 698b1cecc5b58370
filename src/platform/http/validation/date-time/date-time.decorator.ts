import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { isISO8601, IsOptional } from 'class-validator';
import { Check, Parse } from '../check.decorators.js';
import { Optional } from '../text.decorator.js';

/** Years 1000 to 9999. `isISO8601` also accepts earlier years and years with a sign. */
const YEAR = /^[1-9]\d{3}-/;

interface DateTimeOptions {
  readonly description: string;
  /** Whether `null` is allowed, which removes the value; default true. */
  readonly nullable?: boolean;
}

/** Declares an optional ISO 8601 date and time with a time zone, years 1000 to 9999. */
export function DateTime({ description, nullable = true }: DateTimeOptions): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: String,
      format: 'date-time',
      pattern: YEAR.source,
      ...(nullable ? { nullable } : {}),
      example: '2030-01-01T00:00:00Z',
      description,
    }),
    Parse((text) => parse(text) ?? text),
    nullable ? IsOptional() : Optional(),
    Check((value) =>
      value instanceof Date ? null : 'must be a point in time such as 2030-01-01T00:00:00Z',
    ),
  );
}

function parse(text: string): Date | null {
  const isDateTime =
    YEAR.test(text) &&
    isISO8601(text, { strict: true, strictSeparator: true }) &&
    /T.+(Z|[+-]\d\d:?\d\d)$/i.test(text);
  const date = isDateTime ? new Date(text) : null;
  return date && !Number.isNaN(date.getTime()) ? date : null;
}

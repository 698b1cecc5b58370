import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { isISO8601, ValidateBy, ValidateIf } from 'class-validator';

/** Years 1000 to 9999. isISO8601 also accepts earlier years and years with a sign. */
const YEAR = /^[1-9]\d{3}-/;

/** Optional ISO 8601 date and time with a time zone, years 1000 to 9999; `null` removes the value. */
export function DateTime(options: { description: string }): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: String,
      format: 'date-time',
      pattern: YEAR.source,
      nullable: true,
      example: '2030-01-01T00:00:00Z',
      ...options,
    }),
    Transform(({ value }: { value: unknown }) => parse(value) ?? value),
    ValidateIf((_: object, value: unknown) => value !== undefined && value !== null),
    ValidateBy({
      name: 'dateTime',
      validator: {
        validate: (value) => value instanceof Date,
        defaultMessage: (args) =>
          `${args?.property} must be a point in time such as 2030-01-01T00:00:00Z`,
      },
    }),
  );
}

function parse(value: unknown): Date | null {
  const isDateTime =
    typeof value === 'string' &&
    YEAR.test(value) &&
    isISO8601(value, { strict: true, strictSeparator: true }) &&
    /T.+(Z|[+-]\d\d:?\d\d)$/i.test(value);
  const date = isDateTime ? new Date(value) : null;
  return date && !Number.isNaN(date.getTime()) ? date : null;
}

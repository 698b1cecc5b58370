import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import type { FieldError } from '../envelope/envelope.js';
import type { ConstraintContext } from '../input/parse-input.js';

/** Parses a text. Other values are left for the validator to refuse. */
export const Parse = (parse: (text: string) => unknown): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? parse(value) : value));

/**
 * Declares a check of a field.
 *
 * @param problemOf returns an error message without the name of the field, which is put before it; null for a
 *   valid value
 */
export const Check = (
  problemOf: (value: unknown, dto: object) => string | null,
): PropertyDecorator =>
  ValidateBy({
    name: 'check',
    validator: {
      validate: (value, args) => problemOf(value, args?.object ?? {}) === null,
      defaultMessage: (args) => `${args?.property} ${problemOf(args?.value, args?.object ?? {})}`,
    },
  });

/** Checks a value that may have several errors, such as a list. */
export function CheckAll(
  problemsOf: (value: unknown, field: string) => readonly FieldError[],
): PropertyDecorator {
  const context: ConstraintContext = { describe: problemsOf };
  const validator = {
    validate: (value: unknown) => problemsOf(value, '').length === 0,
    // The message is never sent, but class-validator drops the context of an error without a
    // message.
    defaultMessage: () => 'is invalid',
  };
  return ValidateBy({ name: 'checkAll', validator }, { context });
}

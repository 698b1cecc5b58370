import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateIf } from 'class-validator';
import type { FieldError } from '../envelope/envelope.js';
import { Check, CheckAll, Parse } from './check.decorators.js';
import { NUL_PROBLEM } from '../../text/characters.js';
import { newText, type Lines } from './new-text.js';
import { hasLength, type Bounds } from './text-length.js';

export interface TextOptions extends Bounds {
  readonly example: string;
  readonly description?: string;
  /** Whether the text is trimmed; default true. */
  readonly trim?: boolean;
  /** Whether the text is one line or may have many; default one. */
  readonly lines?: Lines;
  /**
   * Whether the service, and not this decorator, checks the characters of the text. Only a service can
   * accept a text that repeats the stored one (see `replacementOf`). A text that is not trimmed, such as
   * HTML, is never checked here.
   */
  readonly isCheckedByService?: boolean;
  readonly optional?: boolean;
}

/**
 * @param bounds in Unicode code points
 * @returns the end of an error message that begins with the name of the field; null for a valid value
 */
export function textProblem(value: unknown, bounds: Bounds): string | null {
  const problem = sizeProblem(value, bounds);
  return typeof value === 'string' && value.includes('\0') ? NUL_PROBLEM : problem;
}

/** Checks a value as `textProblem` does, except for the characters that a text may repeat if they are stored. */
function sizeProblem(value: unknown, { min, max }: Bounds): string | null {
  if (value === undefined || value === null) return 'is missing';
  if (typeof value !== 'string') return 'must be text';
  if (!value.isWellFormed()) return 'must not contain unpaired surrogates';
  if (!hasLength(value, { min, max })) return `must be ${min} to ${max} characters`;
  return null;
}

/** Skips validation of a missing field. null is validated like any other value. */
export const Optional = (): PropertyDecorator =>
  ValidateIf((_: object, value: unknown) => value !== undefined);

/**
 * Declares a trimmed text with bounded length, without characters that no text may have (see
 * `forbiddenProblem`), with something visible unless it is empty.
 */
export function Text(options: TextOptions): PropertyDecorator {
  const { min, max, example, description, trim = true, lines = 'one', optional = false } = options;
  const { isCheckedByService = false } = options;
  return applyDecorators(
    ApiProperty({
      type: String,
      minLength: min,
      maxLength: max,
      example,
      required: !optional,
      ...(description === undefined ? {} : { description }),
    }),
    ...(trim
      ? [Parse((text) => (isCheckedByService ? text.trim() : newText(text, lines).value))]
      : []),
    ...(optional ? [Optional()] : []),
    Check((value) =>
      isCheckedByService
        ? sizeProblem(value, options)
        : (textProblem(value, options) ?? (trim ? newText(String(value), lines).problem : null)),
    ),
  );
}

export interface TextListOptions extends Bounds {
  /** Maximum number of items. */
  readonly maxItems: number;
  readonly example: readonly string[];
  readonly optional?: boolean;
}

function textListProblems(
  value: unknown,
  field: string,
  { maxItems, ...bounds }: TextListOptions,
): FieldError[] {
  if (!Array.isArray(value)) return [{ field, message: `${field} must be a list of texts` }];
  if (value.length > maxItems) {
    return [{ field, message: `${field} must have at most ${maxItems} items` }];
  }
  return value.flatMap((item: unknown, index) => {
    const problem = textProblem(item, bounds);
    return problem === null
      ? []
      : [{ field: `${field}.${index}`, message: `${field}.${index} ${problem}` }];
  });
}

/** Declares a list of trimmed texts. An invalid item is reported under its path, such as `tags.0`. */
export function TextList(options: TextListOptions): PropertyDecorator {
  const { min, max, maxItems, example, optional = false } = options;
  return applyDecorators(
    ApiProperty({
      type: 'array',
      items: { type: 'string', minLength: min, maxLength: max },
      maxItems,
      example,
      required: !optional,
    }),
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value) ? value.map(trimmed) : value,
    ),
    ...(optional ? [Optional()] : []),
    CheckAll((value, field) => textListProblems(value, field, options)),
  );
}

function trimmed(item: unknown): unknown {
  return typeof item === 'string' ? item.trim() : item;
}

import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { TakesObject } from '../../../platform/http/input/parse-input.js';
import { Check, Parse } from '../../../platform/http/validation/check.decorators.js';
import { Optional } from '../../../platform/http/validation/text.decorator.js';
import type { Focus } from '../records/media.schema.js';

const COORDINATE = { type: 'number', minimum: 0, maximum: 1, example: 0.5 } as const;
const X = { ...COORDINATE, description: 'From the left' };
const Y = { ...COORDINATE, description: 'From the top' };

/** How OpenAPI describes a point of focus. */
export const FOCUS = {
  type: 'object',
  properties: { x: X, y: Y },
  required: ['x', 'y'],
  example: { x: 0.5, y: 0.3 },
  description: 'The point that stays visible when the picture is cropped, from its top left corner',
};

export const FOCUS_PROBLEM = 'must be an object with x and y, which are numbers from 0 to 1';

/** Declares an optional point of focus: an object, or its JSON in a form. `null` removes it if `nullable`. */
export function FocusField({ nullable = false } = {}): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ ...FOCUS, type: 'object', ...(nullable ? { nullable } : {}) }),
    TakesObject(),
    Optional(),
    Parse(focusIn),
    Check((value) => (isFocus(value) || (nullable && value === null) ? null : FOCUS_PROBLEM)),
  );
}

/** @returns the point, without other members; the text if it is none */
function focusIn(text: string): Focus | string {
  try {
    const value: unknown = JSON.parse(text);
    return isFocus(value) ? { x: value.x, y: value.y } : text;
  } catch {
    return text;
  }
}

export function isFocus(value: unknown): value is Focus {
  const { x, y } = (value ?? {}) as Partial<Record<keyof Focus, unknown>>;
  return [x, y].every((each) => typeof each === 'number' && each >= 0 && each <= 1);
}

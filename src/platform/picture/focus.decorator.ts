import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { TakesObject } from '../http/input/parse-input.js';
import { Check, Parse } from '../http/validation/check.decorators.js';
import { Optional } from '../http/validation/text.decorator.js';

/** The point of a picture that stays visible when it is cropped, from its top left corner: 0 to 1. */
export interface Focus {
  readonly x: number;
  readonly y: number;
}

const COORDINATE = { type: 'number', minimum: 0, maximum: 1 } as const;

/** A point of focus, as OpenAPI describes it. */
class FocusPoint implements Focus {
  @ApiProperty({ ...COORDINATE, example: 0.5, description: 'From the left' })
  readonly x!: number;

  @ApiProperty({ ...COORDINATE, example: 0.3, description: 'From the top' })
  readonly y!: number;
}

/** A view has no other members. */
class FocusView extends FocusPoint {}

const DESCRIPTION = { description: 'What a crop keeps in view' };

/** How OpenAPI describes a field with a point of focus, of a body and of a view. */
export const FOCUS = { ...DESCRIPTION, type: FocusPoint } as const;
export const SHOWN_FOCUS = { ...DESCRIPTION, type: FocusView } as const;

export const FOCUS_PROBLEM = 'must be an object with x and y, which are numbers from 0 to 1';

/** Declares an optional point of focus: an object, or its JSON in a form. `null` removes it if `nullable`. */
export function FocusField({ nullable = false } = {}): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ ...FOCUS, ...(nullable ? { nullable } : {}) }),
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

import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { FieldError } from '../../../platform/http/envelope/envelope.js';
import { ID } from '../../../platform/http/openapi/properties.js';
import { TakesObject } from '../../../platform/http/input/parse-input.js';
import { OBJECT_ID_PATTERN } from '../../../platform/http/object-id/object-id.param.js';
import { CheckAll, Parse } from '../../../platform/http/validation/check.decorators.js';
import { newText } from '../../../platform/http/validation/new-text.js';
import { Optional, textProblem } from '../../../platform/http/validation/text.decorator.js';
import {
  FOCUS,
  FOCUS_PROBLEM,
  isFocus,
  type Focus,
} from '../../../platform/picture/focus.decorator.js';
import { ALT } from '../library/upload-media.dto.js';
import type { CoverChoice } from './cover.js';

/** How OpenAPI describes the cover in a body. */
class CoverInput implements CoverChoice {
  @ApiProperty({ ...ID, pattern: OBJECT_ID_PATTERN.source, description: 'The id of the picture' })
  readonly media!: string;

  @ApiPropertyOptional({ minLength: ALT.min, maxLength: ALT.max, example: ALT.example })
  readonly alt?: string;

  @ApiPropertyOptional({ ...FOCUS, nullable: true })
  readonly focus?: Focus | null;
}

/** Declares the cover of an article: an object. Members that a view has besides are left out. */
export function CoverField(description = ''): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: CoverInput, description }),
    TakesObject(),
    Optional(),
    Parse(coverIn),
    CheckAll(coverProblems),
  );
}

/** @returns the cover as it is to be checked; the text if it is no object */
function coverIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return text;
    const { media, alt, focus } = value as Readonly<Record<keyof CoverChoice, unknown>>;
    return {
      media: typeof media === 'string' ? media.toLowerCase() : media,
      alt: typeof alt === 'string' ? newText(alt).value : alt,
      focus: isFocus(focus) ? { x: focus.x, y: focus.y } : focus,
    };
  } catch {
    return text;
  }
}

function altProblem(alt: unknown): string | null {
  return textProblem(alt, ALT) ?? newText(alt as string).problem;
}

/** Why the value is no cover that a request may choose; [] for a good one. */
export function coverProblems(value: unknown, field: string): FieldError[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ field, message: `${field} must be an object with media, the id of a picture` }];
  }
  const { media, alt, focus } = value as Readonly<Record<keyof CoverChoice, unknown>>;
  const isId = typeof media === 'string' && OBJECT_ID_PATTERN.test(media);
  const problems = {
    media: isId ? null : 'must be 24 hexadecimal characters',
    alt: alt === undefined ? null : altProblem(alt),
    focus: (focus ?? null) === null || isFocus(focus) ? null : FOCUS_PROBLEM,
  };
  return Object.entries(problems).flatMap(([name, problem]) =>
    problem === null ? [] : [{ field: `${field}.${name}`, message: `${field}.${name} ${problem}` }],
  );
}

import { ApiPropertyOptional } from '@nestjs/swagger';
import { Check } from '../../../platform/http/validation/check.decorators.js';
import { Optional } from '../../../platform/http/validation/text.decorator.js';
import { DURATION_PATTERN, parseDuration } from '../../../platform/config/values/duration.js';

export const DEFAULT_EXPIRES_IN = '7d';
const SHORTEST = '1h';
const LONGEST = '30d';

function durationProblem(value: unknown): string | null {
  const isValid =
    typeof value === 'string' &&
    DURATION_PATTERN.test(value) &&
    parseDuration(value) >= parseDuration(SHORTEST) &&
    parseDuration(value) <= parseDuration(LONGEST);
  return isValid ? null : `must be a duration from ${SHORTEST} to ${LONGEST}, such as 12h or 14d`;
}

export class CreatePreviewDto {
  @ApiPropertyOptional({
    type: String,
    pattern: DURATION_PATTERN.source,
    default: DEFAULT_EXPIRES_IN,
    example: '14d',
    description: `How long the preview can be read, from ${SHORTEST} to ${LONGEST}`,
  })
  @Optional()
  @Check(durationProblem)
  readonly expiresIn?: string;
}

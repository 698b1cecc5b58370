import { SCOPE_NAMES, type KeyScope } from '../../platform/http/access/key-scopes/key-scope.js';
import { Choices } from '../../platform/http/validation/choices.decorator.js';
import { DateTime } from '../../platform/http/validation/date-time/date-time.decorator.js';
import { Text } from '../../platform/http/validation/text.decorator.js';

export const COMMENT = { min: 1, max: 200, example: 'mobile app', optional: true };

export const SCOPES = {
  noun: 'scopes',
  example: ['read', 'search'],
  unique: true,
  optional: true,
} as const;

export class CreateApiKeyDto {
  @Text(COMMENT)
  readonly comment?: string;

  @DateTime({ description: 'When the key stops working; never when left out' })
  readonly expiresAt?: Date | null;

  @Choices(SCOPE_NAMES, { ...SCOPES, description: 'Which routes the key opens; all when left out' })
  readonly scopes?: readonly KeyScope[];
}

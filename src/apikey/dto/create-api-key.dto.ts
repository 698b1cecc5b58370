import { DateTime } from '../../platform/http/validation/date-time.decorator.js';
import { Text } from '../../platform/http/validation/text.decorator.js';

export const COMMENT = { min: 1, max: 200, example: 'mobile app', optional: true };

export class CreateApiKeyDto {
  @Text(COMMENT)
  readonly comment?: string;

  @DateTime({ description: 'When the key stops working; never when left out' })
  readonly expiresAt?: Date | null;
}

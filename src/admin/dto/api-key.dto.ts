import { DateTime } from '../../platform/http/validation/date-time.decorator.js';
import { Flag } from '../../platform/http/validation/flag.decorator.js';
import { Text } from '../../platform/http/validation/text.decorator.js';

const COMMENT = { min: 1, max: 200, example: 'mobile app', optional: true };

export class CreateApiKeyDto {
  @Text(COMMENT)
  readonly comment?: string;

  @DateTime({ description: 'When the key stops working; never when left out' })
  readonly expiresAt?: Date | null;
}

export class ChangeApiKeyDto {
  @Flag({ optional: true })
  readonly enabled?: boolean;

  @Text(COMMENT)
  readonly comment?: string;

  @DateTime({ description: 'When the key stops working; null: never' })
  readonly expiresAt?: Date | null;
}

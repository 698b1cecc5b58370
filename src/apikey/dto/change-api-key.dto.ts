import { DateTime } from '../../platform/http/validation/date-time.decorator.js';
import { Flag } from '../../platform/http/validation/flag.decorator.js';
import { Text } from '../../platform/http/validation/text.decorator.js';
import { COMMENT } from './create-api-key.dto.js';

export class ChangeApiKeyDto {
  @Flag({ optional: true })
  readonly enabled?: boolean;

  @Text({ ...COMMENT, isCheckedByService: true })
  readonly comment?: string;

  @DateTime({ description: 'When the key stops working; null: never' })
  readonly expiresAt?: Date | null;
}

import { SCOPE_NAMES, type KeyScope } from '../../platform/http/access/key-scopes/key-scope.js';
import { Choices } from '../../platform/http/validation/choices.decorator.js';
import { DateTime } from '../../platform/http/validation/date-time/date-time.decorator.js';
import { Flag } from '../../platform/http/validation/flag.decorator.js';
import { Text } from '../../platform/http/validation/text.decorator.js';
import { COMMENT, SCOPES } from './create-api-key.dto.js';

export class ChangeApiKeyDto {
  @Flag({ optional: true })
  readonly enabled?: boolean;

  @Text({ ...COMMENT, isCheckedByService: true })
  readonly comment?: string;

  @DateTime({ description: 'When the key stops working; null: never' })
  readonly expiresAt?: Date | null;

  @Choices(SCOPE_NAMES, {
    ...SCOPES,
    nullable: true,
    description: 'Which routes the key opens; null: all',
  })
  readonly scopes?: readonly KeyScope[] | null;
}

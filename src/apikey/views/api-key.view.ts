import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  SCOPE_NAMES,
  scopesIn,
  storedBits,
  type KeyScope,
} from '../../platform/http/access/key-scopes/key-scope.js';
import { ID, TIME } from '../../platform/http/openapi/properties.js';
import { prefixOf } from '../api-key.js';
import type { ApiKey } from '../api-key.schema.js';

export class ApiKeyView {
  @ApiProperty(ID)
  readonly _id!: string;

  @ApiProperty({ maxLength: 8, example: 'pr_4fTq0', description: 'First characters of the key' })
  readonly prefix!: string;

  @ApiPropertyOptional({ example: 'mobile app' })
  readonly comment?: string;

  @ApiProperty({ example: true })
  readonly enabled!: boolean;

  @ApiProperty({ isArray: true, enum: SCOPE_NAMES, uniqueItems: true, example: ['read', 'search'] })
  readonly scopes!: readonly KeyScope[];

  @ApiPropertyOptional(TIME)
  readonly expiresAt?: Date;

  @ApiPropertyOptional(TIME)
  readonly lastUsedAt?: Date;

  @ApiProperty(TIME)
  readonly createdAt!: Date;
}

/** The response to creating a key, the only one that contains the key itself. */
export class CreatedApiKeyView extends ApiKeyView {
  @ApiProperty({
    pattern: '^pr_[0-9A-Za-z]{49}$',
    example: `pr_4fTq0${'x'.repeat(44)}`,
    description: 'Shown in this response only; keep it',
  })
  readonly key!: string;
}

export function toApiKeyView(apiKey: ApiKey): ApiKeyView {
  const { _id, key, prefix, comments, status, scopes, expiresAt, lastUsedAt, createdAt } = apiKey;
  const comment = comments?.join(', ');
  return {
    _id: _id.toHexString(),
    prefix: prefix ?? prefixOf(key ?? ''),
    ...(comment ? { comment } : {}),
    // A record that was inserted by hand may lack `status`; its key is not accepted.
    enabled: status === true,
    scopes: scopesIn(storedBits(scopes)),
    ...(expiresAt ? { expiresAt } : {}),
    ...(lastUsedAt ? { lastUsedAt } : {}),
    createdAt: createdAt ?? _id.getTimestamp(),
  };
}

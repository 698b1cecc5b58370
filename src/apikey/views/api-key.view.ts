import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { API_KEY_PREFIX_LENGTH } from '../api-key.js';
import type { ApiKey } from '../schemas/api-key.schema.js';

export class ApiKeyView {
  @ApiProperty({ example: '66f1a2b3c4d5e6f708192a3b' })
  readonly _id!: string;

  @ApiProperty({ example: 'pr_4fTq0', description: 'First characters of the key' })
  readonly prefix!: string;

  @ApiPropertyOptional({ example: 'mobile app' })
  readonly comment?: string;

  @ApiProperty({ example: true })
  readonly enabled!: boolean;

  @ApiPropertyOptional({ type: Date })
  readonly expiresAt?: Date;

  @ApiPropertyOptional({ type: Date })
  readonly lastUsedAt?: Date;

  @ApiProperty({ type: Date })
  readonly createdAt!: Date;
}

/** The answer to creating a key: the only time the key itself is shown. */
export class CreatedApiKeyView extends ApiKeyView {
  @ApiProperty({ example: 'pr_4fTq0…', description: 'Shown this once; keep it' })
  readonly key!: string;
}

export function toApiKeyView(apiKey: ApiKey): ApiKeyView {
  const { _id, key, prefix, comments, status, expiresAt, lastUsedAt, createdAt } = apiKey;
  const comment = comments?.join(', ');
  return {
    _id: _id.toHexString(),
    prefix: prefix ?? (key ?? '').slice(0, API_KEY_PREFIX_LENGTH),
    ...(comment ? { comment } : {}),
    enabled: status,
    ...(expiresAt ? { expiresAt } : {}),
    ...(lastUsedAt ? { lastUsedAt } : {}),
    createdAt: createdAt ?? _id.getTimestamp(),
  };
}

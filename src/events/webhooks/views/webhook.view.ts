import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ID, TIME } from '../../../platform/http/openapi/properties.js';
import { CHOICES } from '../dto/webhook.dto.js';
import type { Webhook } from '../schemas/webhook.schema.js';

/** A webhook, without its secret. */
export class WebhookView {
  @ApiProperty(ID)
  readonly _id!: string;

  @ApiProperty({ example: 'https://example.org/hooks/pressroom' })
  readonly url!: string;

  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...CHOICES] }, example: ['*'] })
  readonly events!: string[];

  @ApiProperty({ example: true })
  readonly enabled!: boolean;

  @ApiPropertyOptional({
    example: 'blog.published was not delivered for three days: status 500',
    description: 'Why the server has switched it off',
  })
  readonly disabledReason?: string;

  @ApiPropertyOptional(TIME)
  readonly disabledAt?: Date;

  @ApiPropertyOptional({ ...TIME, description: 'Until then, the former secret signs as well' })
  readonly formerSecretUntilAt?: Date;

  @ApiProperty(TIME)
  readonly createdAt!: Date;

  @ApiProperty(TIME)
  readonly updatedAt!: Date;
}

/** A webhook with its secret, which no other answer shows. */
export class WebhookWithSecretView extends WebhookView {
  @ApiProperty({ example: 'whsec_bm90ZXMgb24gdGhlIGFuYWx5dGljYWwgZW5naW5l' })
  readonly secret!: string;
}

export function toWebhookView(webhook: Webhook): WebhookView {
  const { _id, url, events, enabled, disabledReason, disabledAt, former } = webhook;
  return {
    _id: _id.toHexString(),
    url,
    events: [...events],
    enabled,
    ...(disabledReason === undefined ? {} : { disabledReason }),
    ...(disabledAt === undefined ? {} : { disabledAt }),
    ...(former === undefined ? {} : { formerSecretUntilAt: former.until }),
    createdAt: webhook.createdAt,
    updatedAt: webhook.updatedAt,
  };
}

import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { isHttpUrl } from '../../../platform/http/validation/http-url.js';
import { orderProblem } from '../../../platform/text/characters.js';
import { Check, Parse } from '../../../platform/http/validation/check.decorators.js';
import { Flag } from '../../../platform/http/validation/flag.decorator.js';
import { Optional } from '../../../platform/http/validation/text.decorator.js';
import { EVENT_TYPES, type EventType } from '../../log/event-log.schema.js';

/** The types of events for which a webhook may be called; `*` stands for all. */
export const CHOICES = [...EVENT_TYPES, '*'] as const;

const Url = (options: { optional: boolean }): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: String,
      format: 'uri',
      maxLength: 500,
      required: !options.optional,
      example: 'https://example.org/hooks/pressroom',
      description: 'http needs `WEBHOOK_HTTP=on`, a private host `WEBHOOK_PRIVATE=on`',
    }),
    Parse((text) => text.trim()),
    ...(options.optional ? [Optional()] : []),
    Check((value) => {
      if (!isHttpUrl(value)) {
        return 'must be an http or https URL of at most 500 characters, its host in the usual form';
      }
      const url = URL.parse(value);
      if (!url) return 'must be a URL';
      const hasNone = url.username === '' && url.password === '';
      return hasNone ? orderProblem(value) : 'must have no name and password';
    }),
  );

const Events = (options: { optional: boolean }): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: 'array',
      items: { type: 'string', enum: [...CHOICES] },
      minItems: 1,
      maxItems: CHOICES.length,
      uniqueItems: true,
      required: !options.optional,
      example: ['blog.published', 'blog.updated', 'blog.unpublished'],
    }),
    ...(options.optional ? [Optional()] : []),
    Check((value) =>
      Array.isArray(value) &&
      value.length >= 1 &&
      new Set(value).size === value.length &&
      value.every((each) => (CHOICES as readonly unknown[]).includes(each))
        ? null
        : `must be a list of some of ${CHOICES.join(', ')}`,
    ),
  );

export class CreateWebhookDto {
  @Url({ optional: false })
  readonly url!: string;

  @Events({ optional: false })
  readonly events!: readonly (EventType | '*')[];

  @Flag({ optional: true })
  readonly enabled: boolean = true;
}

export class ChangeWebhookDto {
  @Url({ optional: true })
  readonly url?: string;

  @Events({ optional: true })
  readonly events?: readonly (EventType | '*')[];

  @Flag({ optional: true })
  readonly enabled?: boolean;
}

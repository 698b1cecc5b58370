import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { CacheCoherenceService } from '../platform/caching/cache-coherence.service.js';
import type { RequestOrigin } from '../platform/http/client-address/origin.decorator.js';
import { skipOf, type PageQuery } from '../platform/http/pagination/page-query.dto.js';
import type { Creation } from '../platform/idempotency/creation.js';
import { Idempotency } from '../platform/idempotency/idempotency.service.js';
import { RateLimitService } from '../platform/rate-limit/rate-limit.service.js';
import { SendMessageDto } from './send-message.dto.js';
import { Message } from './message.schema.js';
import { MESSAGE_VIEW_FIELDS, toMessageView, type MessageView } from './message.view.js';

@Injectable()
export class ContactService {
  constructor(
    @InjectModel(Message.name) private readonly messages: Model<Message>,
    private readonly limits: RateLimitService,
    private readonly idempotency: Idempotency,
    private readonly coherence: CacheCoherenceService,
  ) {}

  /**
   * Stores a message. A repetition with the same `Idempotency-Key` counts towards the rate limit as
   * well, because it costs as much as the first request.
   *
   * @throws TooManyRequestsError
   */
  async send(
    { type, msg }: SendMessageDto,
    { addressPrefix }: RequestOrigin,
    creation: Creation | null,
  ): Promise<MessageView> {
    await this.limits.count('contact', addressPrefix);
    const message = await this.idempotency.once(creation, {
      records: this.messages,
      insert: async (keyFields) =>
        (await this.messages.create({ ...keyFields, type, msg })).toObject(),
    });
    return toMessageView(message);
  }

  /** A page of the messages for admins, newest first. */
  async list(page: PageQuery): Promise<MessageView[]> {
    const messages = await this.coherence.read((options) =>
      this.messages
        .find({}, null, options)
        .sort({ createdAt: -1, _id: -1 })
        .skip(skipOf(page))
        .limit(page.limit)
        .select(MESSAGE_VIEW_FIELDS)
        .lean<Message[]>(),
    );
    return messages.map(toMessageView);
  }
}

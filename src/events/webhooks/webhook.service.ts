import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types, type ClientSession, type Model, type mongo, type UpdateQuery } from 'mongoose';
import ms from 'ms';
import { SecretBox } from '../../auth/keys/secret-box.service.js';
import { CacheCoherenceService } from '../../platform/caching/cache-coherence.service.js';
import { Clock } from '../../platform/clock.js';
import { InvalidBodyError, SecretGoneError } from '../../platform/http/errors/api.errors.js';
import { Env } from '../../platform/config/env.js';
import { OPERATION_MAX_MS } from '../../platform/database/client-options.js';
import { BY_ID } from '../../platform/database/query-hints.js';
import { inTransaction } from '../../platform/database/transaction-option.js';
import type { AuditKind } from '../audit/audit-kinds.js';
import { AuditService, type Actor } from '../audit/audit.service.js';
import { EventLog } from '../log/event-log.service.js';
import type { Creation } from '../../platform/idempotency/creation.js';
import { Idempotency } from '../../platform/idempotency/idempotency.service.js';
import { ChangeWebhookDto, CreateWebhookDto } from './dto/webhook.dto.js';
import { Webhook } from './schemas/webhook.schema.js';
import { isPrivateHost } from '../../platform/http/outbound/public-address.js';
import { DeliveryStore } from './deliveries/delivery-store.js';
import {
  toWebhookView,
  type WebhookView,
  type WebhookWithSecretView,
} from './views/webhook.view.js';
import { TooManyWebhooksError, WebhookNotFoundError, WEBHOOKS_MAX } from './webhooks.errors.js';

const SECRET_BYTES = 32;

/** Milliseconds for which calls are signed with the former secret as well as with the new one. */
const FORMER_SECRET_MS = ms('24h');

/** Manages the webhooks, for admins. */
@Injectable()
export class WebhookService {
  constructor(
    @InjectModel(Webhook.name) private readonly webhooks: Model<Webhook>,
    private readonly deliveries: DeliveryStore,
    private readonly box: SecretBox,
    private readonly log: EventLog,
    private readonly clock: Clock,
    private readonly env: Env,
    private readonly idempotency: Idempotency,
    private readonly coherence: CacheCoherenceService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Creates a webhook, which is called for events from now on.
   *
   * @param creation the idempotency key, from which the secret is derived, so that a repetition
   *   shows the same secret; without a key the secret is random
   * @throws InvalidBodyError for an http URL without `WEBHOOK_HTTP=on`, and for a private host without
   *   `WEBHOOK_PRIVATE=on`
   * @throws TooManyWebhooksError
   * @throws SecretGoneError for a repetition, when the secret was rotated, or its signing key
   *   removed
   */
  async create(
    { url, events, enabled }: CreateWebhookDto,
    actor: Actor,
    creation: Creation | null,
  ): Promise<WebhookWithSecretView> {
    this.checkUrl(url);
    const secrets = creation
      ? this.box.derive('webhook', creation).map((bytes) => secretOf(bytes))
      : [newSecret()];
    const webhook = await this.idempotency.once<Webhook>(creation, {
      records: this.webhooks,
      insert: async (keyFields) => {
        await this.checkCount();
        const seq = await this.log.lastSeq();
        const secret = this.box.seal(secrets[0] ?? newSecret());
        const { _id = new Types.ObjectId(), ...rest } = keyFields;
        const fields = { _id, ...rest, url, events, enabled, seq, secret };
        return this.audited('webhook.created', _id, actor, async (transaction) => {
          const [created] = await this.webhooks.create([fields], inTransaction(transaction));
          return created?.toObject();
        });
      },
      gone: () => new WebhookNotFoundError(),
    });
    const secret = this.box.open(webhook.secret);
    if (secret === null || !secrets.includes(secret)) throw new SecretGoneError();
    return { ...toWebhookView(webhook), secret };
  }

  /** All webhooks, newest first. */
  async list(): Promise<WebhookView[]> {
    const webhooks = await this.coherence.read((options) =>
      this.webhooks
        .find({}, null, { ...BY_ID, ...options })
        .sort({ _id: -1 })
        .lean<Webhook[]>(),
    );
    return webhooks
      .map(toWebhookView)
      .sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  }

  /** @throws WebhookNotFoundError */
  async get(id: Types.ObjectId): Promise<WebhookView> {
    return toWebhookView(await this.find(id));
  }

  /** @throws WebhookNotFoundError */
  async find(id: Types.ObjectId): Promise<Webhook> {
    const webhook = await this.coherence.read((options) =>
      this.webhooks.findOne({ _id: id }, null, options).lean<Webhook | null>(),
    );
    if (!webhook) throw new WebhookNotFoundError();
    return webhook;
  }

  /**
   * Changes a webhook. A webhook that is switched on again is called for events from then on, and for
   * its deliveries that are still waiting.
   *
   * @throws what `create` throws
   * @throws WebhookNotFoundError
   */
  async change(
    id: Types.ObjectId,
    { url, events, enabled }: ChangeWebhookDto,
    actor: Actor,
  ): Promise<WebhookView> {
    if (url !== undefined) this.checkUrl(url);
    const changes = {
      ...(url === undefined ? {} : { url }),
      ...(events === undefined ? {} : { events }),
      ...(enabled === undefined ? {} : { enabled }),
    };
    const { enabled: wasEnabled } = await this.find(id);
    const isSwitchedOn = enabled === true && !wasEnabled;
    if (isSwitchedOn) await this.deliveries.restartPending(id);
    const changed = await this.audited('webhook.changed', id, actor, async (transaction) => {
      const switchedOn = isSwitchedOn ? await this.switchOn(id, changes, transaction) : null;
      return switchedOn ?? this.update({ _id: id }, { $set: changes }, transaction);
    });
    return toWebhookView(changed);
  }

  /**
   * Switches a webhook on.
   *
   * @returns null when the webhook is on already: `seq` then stays, so that the webhook skips no events
   */
  private async switchOn(
    id: Types.ObjectId,
    changes: object,
    transaction: ClientSession | null,
  ): Promise<Webhook | null> {
    return this.update(
      { _id: id, enabled: false },
      {
        $set: { ...changes, seq: await this.log.lastSeq() },
        $unset: { disabledReason: 1, disabledAt: 1 },
      },
      transaction,
    );
  }

  private async update(
    filter: { readonly _id: Types.ObjectId; readonly enabled?: false },
    update: UpdateQuery<Webhook>,
    transaction: ClientSession | null,
  ): Promise<Webhook | null> {
    return this.webhooks
      .findOneAndUpdate(filter, update, { returnDocument: 'after', ...inTransaction(transaction) })
      .lean<Webhook | null>();
  }

  /**
   * Makes a write and records it in the audit log, in one transaction.
   *
   * @param write returns the webhook; nothing if there is none
   * @throws WebhookNotFoundError
   */
  private async audited(
    kind: AuditKind,
    subject: Types.ObjectId,
    actor: Actor,
    write: (transaction: ClientSession | null) => Promise<Webhook | null | undefined>,
  ): Promise<Webhook> {
    let written: Webhook | null | undefined;
    await this.coherence.transaction([], async (transaction) => {
      written = await write(transaction);
      if (!written) throw new WebhookNotFoundError();
      await this.audit.record({ kind, actor, subject }, transaction);
    });
    return written as Webhook;
  }

  /** @throws WebhookNotFoundError */
  async remove(id: Types.ObjectId, actor: Actor): Promise<void> {
    await this.idempotency.beforeRemoval(this.webhooks, { _id: id });
    await this.audited('webhook.deleted', id, actor, (transaction) =>
      this.webhooks
        .findOneAndDelete({ _id: id }, inTransaction(transaction))
        .lean<Webhook | null>(),
    );
    await this.deliveries.removeOf(id);
  }

  /**
   * Replaces the secret. For 24 hours, calls are signed with the former secret as well.
   *
   * @throws WebhookNotFoundError
   */
  async rotate(id: Types.ObjectId, actor: Actor): Promise<WebhookWithSecretView> {
    const secret = newSecret();
    const now = this.clock.now();
    const until = new Date(now.getTime() + FORMER_SECRET_MS);
    const set = {
      former: { secret: '$secret', until },
      secret: { $literal: this.box.seal(secret) },
      updatedAt: now,
    };
    // The driver's collection is used, because Mongoose would cast the two secrets to documents.
    const webhooks = this.webhooks.collection as unknown as mongo.Collection<Webhook>;
    const changed = await this.audited('webhook.rotated', id, actor, (transaction) =>
      webhooks.findOneAndUpdate({ _id: id }, [{ $set: set }], {
        returnDocument: 'after',
        maxTimeMS: OPERATION_MAX_MS,
        ...inTransaction(transaction),
      }),
    );
    return { ...toWebhookView(changed), secret };
  }

  /**
   * Fields that an imported webhook needs in addition to its exported record, because an export holds
   * no secret. The webhook is off, so that an admin first makes a secret and gives it to the receiver.
   *
   * @param reason the `disabledReason` of the webhook
   */
  importedFields(
    reason: string,
  ): Pick<Webhook, 'enabled' | 'disabledReason' | 'disabledAt' | 'secret'> {
    const secret = this.box.seal(newSecret());
    return { enabled: false, disabledReason: reason, disabledAt: this.clock.now(), secret };
  }

  private async checkCount(): Promise<void> {
    const existing = await this.webhooks.find({}, { _id: 1 }, BY_ID).limit(WEBHOOKS_MAX).lean();
    if (existing.length >= WEBHOOKS_MAX) throw new TooManyWebhooksError();
  }

  /** The names of other hosts are resolved, and checked, with each call. */
  private checkUrl(url: string): void {
    const { protocol, hostname } = new URL(url);
    const refuse = (message: string): never => {
      throw new InvalidBodyError([{ field: 'url', message }]);
    };
    if (this.env.WEBHOOK_HTTP !== 'on' && protocol !== 'https:') {
      refuse('url must be an https URL, unless WEBHOOK_HTTP=on');
    }
    if (this.env.WEBHOOK_PRIVATE !== 'on' && isPrivateHost(hostname)) {
      refuse('url must have a public host, unless WEBHOOK_PRIVATE=on: this one is private');
    }
  }
}

function newSecret(): string {
  return secretOf(randomBytes(SECRET_BYTES));
}

function secretOf(bytes: Buffer): string {
  return `whsec_${bytes.toString('base64')}`;
}

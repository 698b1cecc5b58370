import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model, Types } from 'mongoose';
import { MailService } from '../../../events/mail/mail.service.js';
import { Clock } from '../../../platform/clock.js';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { BY_ID } from '../../../platform/database/query-hints.js';
import { inTransaction } from '../../../platform/database/transaction-option.js';
import type { RequestOrigin } from '../../../platform/http/client-address/origin.decorator.js';
import { deviceNameOf } from './device-name.js';
import { KnownDevice } from './known-device.schema.js';

/** Tells the owner of an account by mail about a sign-in from a device and network that are new together. */
@Injectable()
export class KnownDevices {
  constructor(
    @InjectModel(KnownDevice.name) private readonly devices: Model<KnownDevice>,
    private readonly mails: MailService,
    private readonly database: DatabaseService,
    private readonly clock: Clock,
  ) {}

  /** Notes the device of a sign-in. The first one of an account is not told: there is nothing to compare it with. */
  async note(user: Types.ObjectId, { userAgent, addressPrefix }: RequestOrigin): Promise<void> {
    const device = deviceNameOf(userAgent);
    const text = JSON.stringify([user.toHexString(), device, addressPrefix]);
    const _id = createHash('sha256').update(text).digest('base64url');
    if (await this.devices.findOne({ _id }, { _id: 1 }, { ...BY_ID }).lean()) return;
    await this.database.transaction(async (transaction) => {
      const options = inTransaction(transaction);
      const former = await this.devices.findOne({ user }, { _id: 1 }, options).lean();
      const { upsertedCount } = await this.devices.updateOne(
        { _id },
        { $setOnInsert: { user, createdAt: this.clock.now() } },
        { upsert: true, ...options },
      );
      if (!former || upsertedCount === 0) return;
      await this.mails.tell('newDevice', user, transaction, { device, network: addressPrefix });
    });
  }

  async removeOf(user: Types.ObjectId, transaction: ClientSession | null): Promise<void> {
    await this.devices.deleteMany({ user }, inTransaction(transaction));
  }
}

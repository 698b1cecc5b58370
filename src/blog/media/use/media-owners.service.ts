import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model, Types } from 'mongoose';
import { Clock } from '../../../platform/clock.js';
import { inTransaction } from '../../../platform/database/transaction-option.js';
import { Media } from '../records/media.schema.js';

/** Looks after the pictures of accounts that are deleted. */
@Injectable()
export class MediaOwners {
  constructor(
    @InjectModel(Media.name) private readonly media: Model<Media>,
    private readonly clock: Clock,
  ) {}

  /**
   * Leaves the pictures of an account to the articles that show them. MediaJob removes the others, and these when
   * no article shows them any more.
   */
  async leave(owner: Types.ObjectId, transaction: ClientSession | null): Promise<void> {
    const checkAt = this.clock.now();
    await this.media.updateMany(
      { owner },
      { $set: { ownerLeft: true, checkAt } },
      inTransaction(transaction),
    );
  }
}

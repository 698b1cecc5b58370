import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model, Types } from 'mongoose';
import { Clock } from '../../platform/clock.js';
import { inTransaction } from '../../platform/database/transaction-option.js';
import type { AuditDetailsView } from './audit-details.view.js';
import type { AuditKind } from './audit-kinds.js';
import { AuditRecord } from './audit.schema.js';

/** Who does something, and from which network. */
export interface Actor {
  /** The user; null for an operator at the command line, and for the server itself. */
  readonly userId: Types.ObjectId | null;
  /** IP prefix of the client; left out for an act without a request. */
  readonly clientPrefix?: string;
}

/** The actor of commands and of background jobs. */
export const NOBODY: Actor = { userId: null };

export interface Act {
  readonly kind: AuditKind;
  readonly actor: Actor;
  readonly subject?: Types.ObjectId;
  readonly details?: AuditDetailsView;
}

/** Writes the audit log. */
@Injectable()
export class AuditService {
  constructor(
    @InjectModel(AuditRecord.name) private readonly records: Model<AuditRecord>,
    private readonly clock: Clock,
  ) {}

  /**
   * Records an act. Call it in the transaction that does the act, so that neither happens without the other.
   *
   * @param transaction null on a standalone MongoDB, or if the act is a single write
   */
  async record(
    { kind, actor, subject, details }: Act,
    transaction: ClientSession | null,
  ): Promise<void> {
    const { userId, clientPrefix } = actor;
    const at = this.clock.now();
    await this.records.create(
      [
        {
          at,
          kind,
          ...(userId ? { actor: userId } : {}),
          ...(subject ? { subject } : {}),
          ...(clientPrefix ? { clientPrefix } : {}),
          ...(details ? { details } : {}),
          sealableAt: at,
        },
      ],
      inTransaction(transaction),
    );
  }
}

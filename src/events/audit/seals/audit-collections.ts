import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { mongo, type Connection } from 'mongoose';
import { BACKGROUND } from '../../../platform/database/client-options.js';
import type { AuditRecord } from '../audit.schema.js';
import type { AuditSeal } from './audit-seal.schema.js';

/** A majority has what such a read finds, so no failover takes it back. */
export const MAJORITY = { readConcern: { level: 'majority' }, readPreference: 'primary' } as const;

/**
 * The audit records and their seals, for background work. They are read as they are stored, without the casts of
 * Mongoose, so that whatever was changed by hand shows.
 */
@Injectable()
export class AuditCollections {
  constructor(@InjectConnection(BACKGROUND) private readonly connection: Connection) {}

  get records(): mongo.Collection<AuditRecord> {
    return this.db.collection('audit');
  }

  get seals(): mongo.Collection<AuditSeal> {
    return this.db.collection('audit_seals');
  }

  private get db(): mongo.Db {
    return this.connection.getClient().db(this.connection.name);
  }
}

import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage, Types } from 'mongoose';
import { CacheCoherenceService } from '../../platform/caching/cache-coherence.service.js';
import { Cache } from '../../platform/caching/cache.js';
import { Clock } from '../../platform/clock.js';
import { BY_ID } from '../../platform/database/query-hints.js';
import type { RoleCode } from '../../platform/http/access/role-code.js';
import { ROLE } from '../../user/schemas/role.cache.js';
import { USER } from '../../user/schemas/user.cache.js';
import { ACCOUNT_LOOKUP, enabledAccountOf, type WithAccount } from './account-lookup.js';
import { SESSION } from './session.cache.js';
import { Session, type SessionFactor } from './session.schema.js';

/**
 * Largest number of queries for a session. A query reads the session, then its user. If a request of
 * this session changes the password in between, the epochs of session and user differ although the
 * session is valid. A second query sees the new epoch in both records.
 */
const MAX_QUERIES = 2;

/** Largest number of cached sessions; they take about 5 MB. */
const MAX_CACHED = 10_000;

/** A valid session, with its user's present roles. */
export interface ActiveSession {
  readonly userId: Types.ObjectId;
  readonly roles: readonly RoleCode[];
  readonly factor?: SessionFactor;
  readonly confirmedAt?: Date;
  /** Whether the address still has to be confirmed before the user writes. */
  readonly isUnverified: boolean;
}

interface CachedSession extends ActiveSession {
  readonly expiresAt: Date;
}

type SessionWithAccount = WithAccount &
  Pick<Session, '_id' | 'epoch' | 'expiresAt' | 'factor' | 'confirmedAt'>;

/** Finds the valid sessions of requests. */
@Injectable()
export class ActiveSessions {
  private readonly cache: Cache<CachedSession>;

  constructor(
    @InjectModel(Session.name) private readonly sessions: Model<Session>,
    private readonly clock: Clock,
    private readonly coherence: CacheCoherenceService,
  ) {
    this.cache = new Cache(coherence, {
      name: 'sessions',
      dependsOn: [SESSION, USER, ROLE],
      bounds: { max: MAX_CACHED },
    });
  }

  /**
   * @returns null when the session has ended, or its user was deleted, is disabled or has changed the
   * password in another session
   */
  async find(id: Types.ObjectId, user: Types.ObjectId): Promise<ActiveSession | null> {
    const [sid, uid] = [id.toHexString(), user.toHexString()];
    const found = await this.cache.get(`${sid} ${uid}`, async () => {
      const value = await this.readActive(id, user);
      return value && { value, dependsOn: [SESSION.record(sid), USER.record(uid)] };
    });
    if (!found || found.expiresAt > this.clock.now()) return found;
    // A refresh may have extended the session since it was cached, so the database decides.
    return this.readActive(id, user);
  }

  private async readActive(
    id: Types.ObjectId,
    user: Types.ObjectId,
  ): Promise<CachedSession | null> {
    for (let query = 1; query <= MAX_QUERIES; query++) {
      const found = await this.findWithAccount(id, user);
      const account = found && enabledAccountOf(found);
      if (!account) return null;
      if (account.epoch !== found.epoch) continue;
      const { expiresAt, factor, confirmedAt } = found;
      return {
        userId: user,
        roles: account.roles,
        isUnverified: account.isUnverified,
        expiresAt,
        ...(factor ? { factor } : {}),
        ...(confirmedAt ? { confirmedAt } : {}),
      };
    }
    return null;
  }

  private async findWithAccount(
    id: Types.ObjectId,
    user: Types.ObjectId,
  ): Promise<SessionWithAccount | undefined> {
    const pipeline: PipelineStage[] = [
      { $match: { _id: id, user, expiresAt: { $gt: this.clock.now() } } },
      { $project: { user: 1, epoch: 1, expiresAt: 1, factor: 1, confirmedAt: 1 } },
      ...ACCOUNT_LOOKUP,
    ];
    const [found] = await this.coherence.read((options) =>
      this.sessions.aggregate<SessionWithAccount>(pipeline, { ...options, ...BY_ID }),
    );
    return found;
  }
}

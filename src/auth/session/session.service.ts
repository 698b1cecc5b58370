import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model, QueryFilter, Types } from 'mongoose';
import { AuditService } from '../../events/audit/audit.service.js';
import type { SessionCaller } from '../../platform/http/access/current-user.decorator.js';
import { Clock } from '../../platform/clock.js';
import type { RequestOrigin } from '../../platform/http/client-address/origin.decorator.js';
import { Env } from '../../platform/config/env.js';
import { BY_ID } from '../../platform/database/query-hints.js';
import { inTransaction } from '../../platform/database/transaction-option.js';
import { CacheCoherenceService } from '../../platform/caching/cache-coherence.service.js';
import { USER } from '../../user/schemas/user.cache.js';
import { AccessTokenError, SessionNotFoundError } from '../auth.errors.js';
import { SESSION } from './session.cache.js';
import { Session, type SessionFactor } from './session.schema.js';
import { SESSION_VIEW_FIELDS, toSessionView, type SessionView } from './session.view.js';

/**
 * Milliseconds in which a client that lost the response to a refresh may repeat it with the same
 * token.
 */
const REFRESH_GRACE_MS = 10_000;

/** Largest number of sessions of one user. Opening one more ends the least recently used session. */
export const MAX_SESSIONS = 20;

/** What a sign-in has proved besides the password. */
export interface SignInProof {
  readonly factor?: SessionFactor;
  /** Whether a passkey or a provider has confirmed that the owner is present. */
  readonly isConfirmed?: boolean;
}

/** A session that was opened. */
export interface OpenedSession extends Session {
  /** Whether it took the place of another valid session of its user. */
  readonly hasEndedAnother: boolean;
}

/** Opens, rotates and ends sessions (docs/adr/0004). */
@Injectable()
export class SessionService {
  constructor(
    @InjectModel(Session.name) private readonly sessions: Model<Session>,
    private readonly clock: Clock,
    private readonly coherence: CacheCoherenceService,
    private readonly env: Env,
    private readonly audit: AuditService,
  ) {}

  /**
   * @param epoch the user's epoch, read together with what was checked, such as the password hash
   * @param proof what was proved besides the password
   */
  async open(
    user: Types.ObjectId,
    epoch: number,
    origin: RequestOrigin,
    { factor, isConfirmed = false }: SignInProof = {},
  ): Promise<OpenedSession> {
    const now = this.clock.now();
    const { REFRESH_IDLE_TTL, SESSION_MAX_AGE } = this.env;
    const session = await this.sessions.create({
      user,
      epoch,
      counter: 0,
      createdAt: now,
      usedAt: now,
      expiresAt: new Date(now.getTime() + Math.min(REFRESH_IDLE_TTL, SESSION_MAX_AGE)),
      ...origin,
      ...(factor ? { factor } : {}),
      ...(isConfirmed ? { confirmedAt: now } : {}),
    });
    const hasEndedAnother = await this.endSurplus(session);
    return { ...session.toObject(), hasEndedAnother };
  }

  /**
   * The user's valid sessions, the most recently used first.
   *
   * @param current id of the caller's session
   */
  async list(user: Types.ObjectId, current: Types.ObjectId): Promise<SessionView[]> {
    const sessions = await this.coherence.read((options) =>
      this.sessions
        .find({ user, expiresAt: { $gt: this.clock.now() } }, null, options)
        .sort({ usedAt: -1, _id: -1 })
        .select([...SESSION_VIEW_FIELDS, 'epoch'])
        .lean<Session[]>(),
    );
    const currentSession = sessions.find(({ _id }) => _id.equals(current));
    return sessions
      .filter(({ epoch }) => epoch === currentSession?.epoch)
      .map((session) => toSessionView(session, session === currentSession));
  }

  /**
   * Exchanges the refresh token with this counter for its successor (refresh token rotation, RFC
   * 9700, section 4.14.2). Call it after the refresh token was verified and its user, the caller, authenticated.
   *
   * @returns the counter of the successor, the same for a repetition within REFRESH_GRACE_MS; null
   * when the session has ended, when this call ends it because a spent token was reused, or when the
   * counter is higher than the session's
   */
  async rotate(caller: SessionCaller, counter: number): Promise<number | null> {
    const { sessionId: id, userId: user } = caller;
    const now = this.clock.now();
    const sessionFilter = { _id: id, user, expiresAt: { $gt: now } };
    const rotated = await this.coherence.write([SESSION.record(id)], (session) =>
      this.sessions
        .findOneAndUpdate(
          { ...sessionFilter, counter },
          [
            {
              $set: {
                counter: counter + 1,
                usedAt: now,
                rotatedAt: now,
                expiresAt: {
                  $min: [
                    new Date(now.getTime() + this.env.REFRESH_IDLE_TTL),
                    { $add: ['$createdAt', { $literal: this.env.SESSION_MAX_AGE }] },
                  ],
                },
              },
            },
          ],
          { ...BY_ID, updatePipeline: true, returnDocument: 'after', session },
        )
        .select(['counter'])
        .lean<Session | null>(),
    );
    if (rotated) return rotated.counter;

    const graceStart = new Date(now.getTime() - REFRESH_GRACE_MS);
    const rotatedFilter = {
      ...sessionFilter,
      counter: counter + 1,
      rotatedAt: { $gte: graceStart },
    };
    const alreadyRotated = await this.sessions.findOne(rotatedFilter, { _id: 1 }, BY_ID).lean();
    if (alreadyRotated) return counter + 1;

    // If the token's counter is lower than the session's, a spent token was reused and may be stolen:
    // the session ends. A higher counter occurs after a restore from a backup: the session stays.
    await this.endAudited('session.reused', caller, {
      ...sessionFilter,
      counter: { $gt: counter },
    });
    return null;
  }

  /**
   * Stores that a session has proved a second factor.
   *
   * @throws AccessTokenError if it has ended meanwhile, so that its thief adds no factor after the owner has acted
   */
  async setFactor(
    id: Types.ObjectId,
    factor: SessionFactor,
    transaction: ClientSession | null,
  ): Promise<void> {
    const options = inTransaction(transaction);
    const stored = await this.sessions.updateOne({ _id: id }, { $set: { factor } }, options);
    if (stored.matchedCount === 0) throw new AccessTokenError('ended');
  }

  /** Ends the caller's session. */
  async signOut(caller: SessionCaller): Promise<void> {
    await this.endAudited('session.ended', caller, { _id: caller.sessionId });
  }

  async end(id: Types.ObjectId): Promise<void> {
    await this.coherence.write([SESSION.record(id)], (session) =>
      this.sessions.deleteOne({ _id: id }, { session }),
    );
  }

  /** @throws SessionNotFoundError when the session is unknown, has ended or belongs to another user */
  async endOwn(caller: SessionCaller, id: Types.ObjectId): Promise<void> {
    const filter = { _id: id, user: caller.userId, expiresAt: { $gt: this.clock.now() } };
    if (!(await this.endAudited('session.ended', caller, filter))) throw new SessionNotFoundError();
  }

  async endOthers(caller: SessionCaller): Promise<void> {
    const { userId: user, sessionId } = caller;
    // The write invalidates all cached sessions of the user, because each depends on the user's
    // record.
    await this.coherence.transaction([USER.record(user)], async (transaction) => {
      const others = { user, _id: { $ne: sessionId } };
      const ended = await this.sessions.deleteMany(others, inTransaction(transaction));
      if (ended.deletedCount === 0) return;
      const act = { actor: caller, subject: user, details: { count: ended.deletedCount } };
      await this.audit.record({ kind: 'session.ended', ...act }, transaction);
    });
  }

  /**
   * Ends one session of the caller, and records it in the audit log.
   *
   * @returns false when no session matches the filter
   */
  private async endAudited(
    kind: 'session.ended' | 'session.reused',
    actor: SessionCaller,
    filter: QueryFilter<Session> & { readonly _id: Types.ObjectId },
  ): Promise<boolean> {
    let isEnded = false;
    await this.coherence.transaction([SESSION.record(filter._id)], async (transaction) => {
      const options = { ...BY_ID, ...inTransaction(transaction) };
      isEnded = (await this.sessions.deleteOne(filter, options)).deletedCount === 1;
      if (!isEnded) return;
      const details = { session: filter._id.toHexString() };
      await this.audit.record({ kind, actor, subject: actor.userId, details }, transaction);
    });
    return isEnded;
  }

  /** Ends all sessions of a user. The transaction must invalidate the cached sessions. */
  async endAll(user: Types.ObjectId, transaction: ClientSession | null): Promise<void> {
    await this.sessions.deleteMany({ user }, inTransaction(transaction));
  }

  /**
   * Moves the caller's session into the user's new epoch, and ends the user's other sessions. The
   * transaction must invalidate the cached sessions.
   */
  async carryOver(
    { userId, sessionId }: Pick<SessionCaller, 'userId' | 'sessionId'>,
    epoch: number,
    transaction: ClientSession | null,
  ): Promise<void> {
    const options = inTransaction(transaction);
    await this.sessions.updateOne({ _id: sessionId, user: userId }, { $set: { epoch } }, options);
    await this.sessions.deleteMany({ user: userId, _id: { $ne: sessionId } }, options);
  }

  /**
   * Ends the least recently used sessions beyond MAX_SESSIONS.
   *
   * @returns whether one of them was valid
   */
  private async endSurplus({
    _id,
    user,
    epoch,
  }: Pick<Session, '_id' | 'user' | 'epoch'>): Promise<boolean> {
    const surplus = await this.sessions
      .find({ user, _id: { $ne: _id } })
      .sort({ usedAt: -1, _id: -1 })
      .skip(MAX_SESSIONS - 1)
      .select(['epoch', 'expiresAt'])
      .lean<Pick<Session, '_id' | 'epoch' | 'expiresAt'>[]>();
    if (surplus.length === 0) return false;
    const now = this.clock.now();
    const ids = surplus.map((session) => session._id);
    await this.coherence.write(
      ids.map((id) => SESSION.record(id)),
      (session) => this.sessions.deleteMany({ _id: { $in: ids } }, { session }),
    );
    return surplus.some((session) => session.epoch === epoch && session.expiresAt > now);
  }
}

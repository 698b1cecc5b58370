import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { effectiveRole, type RoleCode } from '../common/access/role-code.js';
import { Clock } from '../common/clock.js';
import { parseDuration } from '../config/duration.js';
import type { Env } from '../config/env.js';
import { Session } from './schemas/session.schema.js';

/** How long the reply to a refresh may be lost and asked for again. */
export const REFRESH_GRACE_MS = 10_000;

export interface SessionOrigin {
  readonly userAgent: string;
  readonly addressPrefix: string;
}

/** A session that counts, with what its user may do now. */
export interface ActiveSession {
  readonly userId: Types.ObjectId;
  readonly roles: readonly RoleCode[];
}

interface SessionWithUser extends Pick<Session, '_id' | 'epoch'> {
  readonly users: readonly { _id: Types.ObjectId; status?: boolean; epoch?: number }[];
  readonly roles: readonly { code: string }[];
}

/** Opens, checks, rotates and ends sessions (docs/adr/0004). */
@Injectable()
export class SessionService {
  private readonly idleMs: number;
  private readonly maxAgeMs: number;

  constructor(
    @InjectModel(Session.name) private readonly sessions: Model<Session>,
    private readonly clock: Clock,
    config: ConfigService<Env, true>,
  ) {
    this.idleMs = parseDuration(config.get('REFRESH_IDLE_TTL', { infer: true }));
    this.maxAgeMs = parseDuration(config.get('SESSION_MAX_AGE', { infer: true }));
  }

  /** @param epoch the user's epoch, read together with the password hash that was checked */
  async open(user: Types.ObjectId, epoch: number, origin: SessionOrigin): Promise<Session> {
    const now = this.clock.now();
    const session = await this.sessions.create({
      user,
      epoch,
      counter: 0,
      createdAt: now,
      usedAt: now,
      expiresAt: this.expiry(now, now),
      ...origin,
    });
    return session.toObject();
  }

  /** @returns null when the session has ended or its user is disabled, deleted or changed password */
  async findActive(id: Types.ObjectId, user: Types.ObjectId): Promise<ActiveSession | null> {
    const [found] = await this.sessions.aggregate<SessionWithUser>([
      { $match: { _id: id, user, expiresAt: { $gt: this.clock.now() } } },
      { $project: { user: 1, epoch: 1 } },
      {
        $lookup: {
          from: 'users',
          localField: 'user',
          foreignField: '_id',
          pipeline: [{ $project: { status: 1, epoch: 1, roles: 1 } }],
          as: 'users',
        },
      },
      {
        $lookup: {
          from: 'roles',
          localField: 'users.roles',
          foreignField: '_id',
          pipeline: [{ $match: { status: { $ne: false } } }, { $project: { code: 1 } }],
          as: 'roles',
        },
      },
    ]);
    const account = found?.users[0];
    if (!found || !account || account.status === false) return null;
    if ((account.epoch ?? 0) !== found.epoch) return null;
    const roles = found.roles
      .map(({ code }) => effectiveRole(code))
      .filter((role) => role !== null);
    return { userId: user, roles };
  }

  /**
   * Spends the refresh token with this counter. The caller has authenticated the token and the
   * session's user.
   *
   * @returns the counter of the successor; the same one again within the grace; null when the
   * token is spent, which has ended the session, or the session had ended before
   */
  async rotate(id: Types.ObjectId, user: Types.ObjectId, counter: number): Promise<number | null> {
    const now = this.clock.now();
    const current = { _id: id, user, expiresAt: { $gt: now } };
    const rotated = await this.sessions
      .findOneAndUpdate(
        { ...current, counter },
        [
          {
            $set: {
              counter: counter + 1,
              usedAt: now,
              rotatedAt: now,
              expiresAt: {
                $min: [this.idleEnd(now), { $add: ['$createdAt', { $literal: this.maxAgeMs }] }],
              },
            },
          },
        ],
        { updatePipeline: true, returnDocument: 'after' },
      )
      .select(['counter'])
      .lean<Session | null>();
    if (rotated) return rotated.counter;

    const graceStart = new Date(now.getTime() - REFRESH_GRACE_MS);
    const retried = await this.sessions.exists({
      ...current,
      counter: counter + 1,
      rotatedAt: { $gte: graceStart },
    });
    if (retried) return counter + 1;

    // Only a token that this session has left behind is a theft; one from the future would be of
    // a database restored from a backup.
    await this.sessions.deleteOne({ ...current, counter: { $gt: counter } });
    return null;
  }

  async end(id: Types.ObjectId): Promise<void> {
    await this.sessions.deleteOne({ _id: id });
  }

  private expiry(now: Date, createdAt: Date): Date {
    return new Date(Math.min(now.getTime() + this.idleMs, createdAt.getTime() + this.maxAgeMs));
  }

  private idleEnd(now: Date): Date {
    return new Date(now.getTime() + this.idleMs);
  }
}

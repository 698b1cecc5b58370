import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types, type ClientSession, type Model, type QueryFilter } from 'mongoose';
import type { CacheDependency } from '../platform/caching/cache-subject.js';
import { Env } from '../platform/config/env.js';
import type { RoleCode } from '../platform/http/access/role-code.js';
import { BY_ID } from '../platform/database/query-hints.js';
import { AuditService, type Actor } from '../events/audit/audit.service.js';
import { inTransaction } from '../platform/database/transaction-option.js';
import { isDuplicateKey } from '../platform/database/is-duplicate-key.js';
import { CacheCoherenceService } from '../platform/caching/cache-coherence.service.js';
import { publicLinksOf, type LinksOf } from '../platform/picture/picture-address.js';
import { modelFor } from '../platform/caching/causal-read-barrier.js';
import { Cache } from '../platform/caching/cache.js';
import { AddressService } from './address.service.js';
import { RoleService } from './role.service.js';
import { USER, USER_NAME } from './schemas/user.cache.js';
import { User } from './schemas/user.schema.js';
import { AlreadyRegisteredError, UserNotFoundError } from './user.errors.js';
import { toUserView, USER_VIEW_FIELDS, type UserView } from './views/user.view.js';

export interface NewUser {
  /** The id, if the caller has made one. */
  readonly _id?: Types.ObjectId;
  readonly email: string;
  readonly name: string;
  /** Left out for an account that signs in by the provider. */
  readonly passwordHash?: string;
  readonly profilePicUrl?: string | null | undefined;
  readonly roles: readonly Types.ObjectId[];
  /** Whether the address still has to be confirmed. */
  readonly isUnverified?: boolean;
  /** False for an account that is disabled from the beginning. */
  readonly isEnabled?: boolean;
}

/** The fields that are needed to check a password. */
export type Credentials = Pick<
  User,
  '_id' | 'email' | 'name' | 'password' | 'status' | 'epoch' | 'picture'
>;

/** The fields that views need. */
type CachedUser = Pick<User, '_id' | (typeof USER_VIEW_FIELDS)[number]>;

/** Largest number of cached users, about 5 MB. */
const MAX_CACHED = 10_000;

/** Reads and changes accounts, for the features that share them. */
@Injectable()
export class UserService {
  private readonly cache: Cache<CachedUser>;
  private readonly linksOf: LinksOf;

  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly roleService: RoleService,
    private readonly addresses: AddressService,
    private readonly coherence: CacheCoherenceService,
    private readonly audit: AuditService,
    env: Env,
  ) {
    this.cache = new Cache(coherence, {
      name: 'users',
      dependsOn: [USER],
      bounds: { max: MAX_CACHED },
    });
    this.linksOf = publicLinksOf(env);
  }

  /**
   * @param actor who creates the account; for a sign-up its owner
   * @throws AlreadyRegisteredError
   */
  async create(newUser: NewUser, actor: Actor): Promise<User> {
    const _id = newUser._id ?? new Types.ObjectId();
    let created: User | undefined;
    await this.coherence.transaction(userChanges(_id), async (transaction) => {
      created = await this.insert({ ...newUser, _id }, actor, transaction);
    });
    return created as User;
  }

  /** Does what `create` does, in a transaction of the caller. */
  async insert(
    {
      _id,
      email,
      name,
      passwordHash,
      profilePicUrl,
      roles,
      isUnverified = false,
      isEnabled = true,
    }: NewUser & { readonly _id: Types.ObjectId },
    actor: Actor,
    transaction: ClientSession | null,
  ): Promise<User> {
    const user = new this.users({
      _id,
      email,
      name,
      ...(passwordHash === undefined ? {} : { password: passwordHash }),
      roles,
      status: isEnabled,
      ...(profilePicUrl ? { profilePicUrl } : {}),
      ...(isUnverified ? { isUnverified } : {}),
    });
    try {
      await user.save(inTransaction(transaction));
      // An account may have left the address, and reserved it, between the caller's check and the insertion.
      if (await this.addresses.isReserved(email, user._id, transaction)) {
        await this.users.deleteOne({ _id: user._id }, inTransaction(transaction));
        throw new AlreadyRegisteredError();
      }
      await this.audit.record({ kind: 'user.created', actor, subject: _id }, transaction);
      return user.toObject();
    } catch (error) {
      if (isDuplicateKey(error, 'email')) throw new AlreadyRegisteredError();
      throw error;
    }
  }

  /** Reads from the primary, because the cache or a secondary may not reflect a deletion yet. */
  async exists(id: Types.ObjectId): Promise<boolean> {
    const user = await this.users.findOne({ _id: id }).select(['_id']).read('primary').lean();
    return user !== null;
  }

  /**
   * Whether the account exists, is enabled and has the role. Reads from the primary, as `exists`
   * does.
   */
  async isEnabledWith(id: Types.ObjectId, role: RoleCode): Promise<boolean> {
    const user = await this.users
      .findOne({ _id: id, ...(await this.enabledWith(role)) }, null, BY_ID)
      .select(['_id'])
      .read('primary')
      .lean();
    return user !== null;
  }

  /** Number of enabled users with the role; counts two at most. */
  async countEnabledWith(role: RoleCode): Promise<number> {
    const found = await this.users
      .find(await this.enabledWith(role))
      .limit(2)
      .select(['_id'])
      .lean();
    return found.length;
  }

  /** An enabled user with the role; null if there is none. Reads from the primary. */
  async findEnabledWith(role: RoleCode): Promise<Types.ObjectId | null> {
    const user = await this.users
      .findOne(await this.enabledWith(role))
      .select(['_id'])
      .read('primary')
      .lean<User | null>();
    return user?._id ?? null;
  }

  async findCredentials(
    by: { readonly email: string } | { readonly _id: Types.ObjectId },
  ): Promise<Credentials | null> {
    return this.users
      .findOne(by)
      .select(['email', 'name', 'password', 'status', 'epoch', 'picture'])
      .lean<Credentials | null>();
  }

  /**
   * Changes the password and increments the epoch, which ends all sessions. The epoch must still be
   * that of the checked credentials, so only one of two concurrent changes succeeds.
   *
   * @returns the new epoch; null when the password was changed, or the account disabled or deleted,
   * since the credentials were read
   */
  async changePassword(
    { _id, epoch }: Credentials,
    newHash: string,
    session: ClientSession | null,
  ): Promise<number | null> {
    const changed = await this.users
      // null matches a record without an epoch, as older servers store it.
      .findOneAndUpdate(
        { _id, epoch: epoch ?? null },
        { $set: { password: newHash }, $inc: { epoch: 1 } },
        { returnDocument: 'after', session },
      )
      .select(['epoch'])
      .lean<Credentials | null>();
    return changed?.epoch ?? null;
  }

  /** Adds roles to those that an account has. The transaction must invalidate its cached sessions. */
  async addRoles(
    id: Types.ObjectId,
    roles: readonly Types.ObjectId[],
    transaction: ClientSession | null,
  ): Promise<void> {
    await this.users.updateOne(
      { _id: id },
      { $addToSet: { roles: { $each: roles } } },
      inTransaction(transaction),
    );
  }

  /** Removes the password and increments the epoch, which ends all sessions. @returns false as `changePassword` does */
  async removePassword(
    { _id, epoch }: Credentials,
    transaction: ClientSession | null,
  ): Promise<boolean> {
    const { matchedCount } = await this.users.updateOne(
      { _id, epoch: epoch ?? null },
      { $unset: { password: 1 }, $inc: { epoch: 1 } },
      inTransaction(transaction),
    );
    return matchedCount === 1;
  }

  /** Replaces the hash of an unchanged password. Does nothing if the password was changed meanwhile. */
  async replaceHash(id: Types.ObjectId, oldHash: string, newHash: string): Promise<void> {
    await this.users.updateOne(
      { _id: id, password: oldHash },
      { $set: { password: newHash } },
      { timestamps: false },
    );
  }

  /**
   * Deletes the user if the epoch is still that of the checked credentials.
   *
   * @returns the deleted record, or null
   */
  async remove({ _id, epoch }: Credentials, session: ClientSession | null): Promise<User | null> {
    return this.users
      .findOneAndDelete({ _id, epoch: epoch ?? null }, { session })
      .lean<User | null>();
  }

  /** Reverts `remove` on a standalone MongoDB, which has no transactions. */
  async restore(user: User): Promise<void> {
    await this.users.collection.insertOne(user);
  }

  /** @throws UserNotFoundError */
  async getView(id: Types.ObjectId): Promise<UserView> {
    const view = await this.findView(id);
    if (!view) throw new UserNotFoundError();
    return view;
  }

  async findView(id: Types.ObjectId): Promise<UserView | null> {
    const [[user], roles] = await Promise.all([this.find([id]), this.roleService.findAll()]);
    return user ? toUserView(user, roles, this.linksOf) : null;
  }

  /** Names of users by id, without the ids that have no record. */
  async namesOf(ids: readonly Types.ObjectId[]): Promise<Map<string, string>> {
    const users = await this.find(ids);
    return new Map(users.map(({ _id, name }) => [_id.toHexString(), name]));
  }

  /** The filter of the enabled users with the role. */
  private async enabledWith(role: RoleCode): Promise<QueryFilter<User>> {
    return { roles: { $in: await this.roleService.idsWith(role) }, status: { $ne: false } };
  }

  /** Finds each user once, even if an id is repeated. One query reads the users that are not cached. */
  private async find(ids: readonly Types.ObjectId[]): Promise<CachedUser[]> {
    const found: CachedUser[] = [];
    const uncached = new Map<string, Types.ObjectId>();
    for (const [key, id] of new Map(ids.map((id) => [id.toHexString(), id]))) {
      const user = this.cache.peek(key);
      if (user) found.push(user);
      else uncached.set(key, id);
    }
    if (uncached.size === 0) return found;
    const readStart = this.cache.begin(undefined, uncached.size);
    const users = await this.coherence.publicRead((options) =>
      modelFor(this.users, options)
        .find({ _id: { $in: [...uncached.values()] } })
        .select(USER_VIEW_FIELDS)
        .setOptions(options)
        .lean<CachedUser[]>(),
    );
    for (const user of users) {
      const key = user._id.toHexString();
      this.cache.store(key, { value: user, dependsOn: [USER.record(key)] }, readStart);
    }
    return [...found, ...users];
  }
}

/** The dependencies that a change of a user invalidates: sessions, views, and the name on blogs. */
export function userChanges(id: Types.ObjectId): readonly CacheDependency[] {
  return [USER.record(id), USER_NAME.record(id)];
}

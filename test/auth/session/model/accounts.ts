import { Types, type mongo } from 'mongoose';
import { PASSWORD, unique } from '../../../support/factories.js';
import { instantHash } from './simulation.js';
import type { Account } from './state.js';

const BATCH = 1_000;

/** Gives each run its own accounts. It stores a thousand at a time, so that runs rarely wait. */
export class AccountPool {
  private readonly ready: Account[] = [];
  private filling: Promise<void> | null = null;

  constructor(private readonly db: mongo.Db) {}

  async take(): Promise<Account> {
    let account = this.ready.pop();
    while (!account) {
      this.filling ??= this.fill().finally(() => (this.filling = null));
      await this.filling;
      account = this.ready.pop();
    }
    return account;
  }

  private async fill(): Promise<void> {
    const learner = await this.db.collection('roles').findOne({ code: 'LEARNER' });
    const now = new Date();
    const users = Array.from({ length: BATCH }, () => ({
      _id: new Types.ObjectId(),
      email: `${unique('model')}@example.org`,
      name: 'Somebody in the model',
      password: instantHash(PASSWORD),
      roles: learner ? [learner._id] : [],
      status: true,
      epoch: 0,
      createdAt: now,
      updatedAt: now,
    }));
    await this.db.collection('users').insertMany(users);
    for (const { _id, email } of users) {
      const id = _id.toHexString();
      const start = { password: PASSWORD, epoch: 0, isEnabled: true, exists: true, app: null };
      this.ready.push({ id, email, ...start });
    }
  }
}

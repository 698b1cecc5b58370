import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import bcrypt from 'bcryptjs';
import type { Env } from '../config/env.js';

/** bcrypt, at the configured cost. */
@Injectable()
export class PasswordHasher {
  private readonly cost: number;
  /** Compared against when there is no account, so that every sign-in does the same work. */
  private decoy: Promise<string> | undefined;

  constructor(config: ConfigService<Env, true>) {
    this.cost = config.get('BCRYPT_COST', { infer: true });
  }

  async hash(password: string): Promise<string> {
    return bcrypt.hash(password, this.cost);
  }

  /** @param hash null when there is no account: the work is done all the same */
  async matches(password: string, hash: string | null): Promise<boolean> {
    this.decoy ??= this.hash('no account has this password');
    const isMatch = await bcrypt.compare(password, hash ?? (await this.decoy));
    return isMatch && hash !== null;
  }

  /** Whether a stored hash is weaker than today's setting. */
  isOutdated(hash: string): boolean {
    return bcrypt.getRounds(hash) < this.cost;
  }
}

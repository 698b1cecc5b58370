import { Injectable } from '@nestjs/common';
import { Env } from '../../platform/config/env.js';
import type { Caller } from '../../platform/http/access/current-user.decorator.js';
import type { RoleCode } from '../../platform/http/access/role-code.js';
import { FactorNeededError } from '../auth.errors.js';

/** Whose sessions need a second factor, as REQUIRE_2FA says. */
@Injectable()
export class FactorPolicy {
  constructor(private readonly env: Env) {}

  isDemandedOf(roles: readonly RoleCode[]): boolean {
    return roles.some((role) => this.env.REQUIRE_2FA.includes(role));
  }

  /** @throws FactorNeededError if a role of the caller demands a factor that the session lacks */
  demand({ roles, factor }: Caller): void {
    if (this.env.REQUIRE_2FA.length === 0 || !this.isDemandedOf(roles)) return;
    const hasFactor =
      factor !== undefined && (factor !== 'provider' || this.env.PROVIDER_2FA === 'on');
    if (!hasFactor) throw new FactorNeededError();
  }
}

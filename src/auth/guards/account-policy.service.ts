import { Injectable } from '@nestjs/common';
import { Env } from '../../platform/config/env.js';
import type { Caller } from '../../platform/http/access/current-user.decorator.js';
import type { RoleCode } from '../../platform/http/access/role-code.js';
import { SAFE_METHODS } from '../../platform/http/safe-methods.js';
import { EmailUnverifiedError, FactorNeededError } from '../auth.errors.js';

/** What REQUIRE_2FA and EMAIL_VERIFICATION demand of accounts before they may do anything but complete themselves. */
@Injectable()
export class AccountPolicy {
  constructor(private readonly env: Env) {}

  /** Whether one of the roles demands a second factor. */
  demandsFactor(roles: readonly RoleCode[]): boolean {
    return roles.some((role) => this.env.REQUIRE_2FA.includes(role));
  }

  /**
   * @param method HTTP method of the request
   * @throws FactorNeededError if a role of the caller demands a factor that the session lacks
   * @throws EmailUnverifiedError if the caller writes before the address of the account is confirmed
   */
  check({ roles, factor, isUnverified }: Caller, method: string): void {
    if (this.demandsFactor(roles) && !this.counts(factor)) throw new FactorNeededError();
    const isDemanded = this.env.EMAIL_VERIFICATION === 'on' && !SAFE_METHODS.has(method);
    if (isUnverified && isDemanded) throw new EmailUnverifiedError();
  }

  private counts(factor: string | undefined): boolean {
    return factor !== undefined && (factor !== 'provider' || this.env.PROVIDER_2FA === 'on');
  }
}

import { Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Access } from '../../platform/http/access/access.decorator.js';
import { AccessGuard } from '../../platform/http/access/access.guard.js';
import { Env } from '../../platform/config/env.js';
import { ProviderOnlyError } from '../auth.errors.js';

/** With OIDC_ONLY=on, closes what is for passwords and other own sign-ins. */
@Injectable()
export class ProviderOnlyGuard extends AccessGuard {
  constructor(
    reflector: Reflector,
    private readonly env: Env,
  ) {
    super(reflector);
  }

  applies({ isUnlessProviderOnly }: Access): boolean {
    return isUnlessProviderOnly === true && this.env.OIDC_ONLY === 'on';
  }

  /** @throws ProviderOnlyError */
  check(): void {
    throw new ProviderOnlyError();
  }
}

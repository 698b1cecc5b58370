import { Injectable } from '@nestjs/common';
import { Env } from '../platform/config/env.js';
import { SignUpClosedError } from './auth.errors.js';

/** Who may make an account, as SIGNUP says. */
@Injectable()
export class SignUpPolicy {
  constructor(private readonly env: Env) {}

  /** @throws SignUpClosedError unless everybody may sign up */
  demandOpen(): void {
    if (this.env.SIGNUP !== 'open') throw new SignUpClosedError();
  }

  /** @throws SignUpClosedError if not even people who are invited may make an account */
  demandInvitations(): void {
    if (this.env.SIGNUP === 'off') throw new SignUpClosedError();
  }
}

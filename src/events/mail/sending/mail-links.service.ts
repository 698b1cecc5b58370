import { Injectable } from '@nestjs/common';
import { MAIL_KINDS, type MailKind } from '../mail-kinds.js';
import { Env } from '../../../platform/config/env.js';

/**
 * Makes the links of mails. They lead to the page of `SITE_ACCOUNT_URL`, or to the page `/account` of this server at
 * `PUBLIC_URL`, never at an address that a request names. The token is in the fragment, which browsers send to no
 * server.
 */
@Injectable()
export class MailLinks {
  private readonly page: string;

  constructor({ SITE_ACCOUNT_URL, PUBLIC_URL, PORT }: Env) {
    // Production requires PUBLIC_URL with mail, so the address of this machine is for trials only.
    this.page = SITE_ACCOUNT_URL ?? `${PUBLIC_URL ?? `http://localhost:${PORT}`}/account`;
  }

  /** @returns undefined for a kind of mail that has no link */
  linkOf(kind: MailKind, token: string | undefined): string | undefined {
    const { fragment } = MAIL_KINDS[kind];
    return fragment === undefined || token === undefined
      ? undefined
      : `${this.page}#${fragment}=${token}`;
  }
}

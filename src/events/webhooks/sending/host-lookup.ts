import { Injectable } from '@nestjs/common';
import { Env } from '../../../platform/config/env.js';
import { isPrivateHost } from '../../../platform/http/outbound/public-address.js';
import { PublicLookup } from '../../../platform/http/outbound/public-lookup.js';

/** The call was not made: the host has an address that webhooks may not reach. */
class PrivateAddressError extends Error {
  constructor() {
    super('the host has a private address: only WEBHOOK_PRIVATE=on allows it');
  }
}

/** The call was not made: the webhook's URL is http, from a time when WEBHOOK_HTTP was on. */
class PlainHttpError extends Error {
  constructor() {
    super('an http URL: only WEBHOOK_HTTP=on allows it');
  }
}

/** Resolves the hosts of webhooks. */
@Injectable()
export class HostLookup extends PublicLookup {
  constructor(private readonly env: Env) {
    super();
  }

  /**
   * @throws PlainHttpError for an http URL without `WEBHOOK_HTTP=on`
   * @throws PrivateAddressError for a host of which no name need be resolved to know that it is private
   */
  check({ protocol, hostname }: URL): void {
    if (protocol !== 'https:' && this.env.WEBHOOK_HTTP !== 'on') throw new PlainHttpError();
    if (this.env.WEBHOOK_PRIVATE !== 'on' && isPrivateHost(hostname)) throw this.refusal();
  }

  protected override isAllowed(address: string): boolean {
    return this.env.WEBHOOK_PRIVATE === 'on' || super.isAllowed(address);
  }

  protected override refusal(): Error {
    return new PrivateAddressError();
  }
}

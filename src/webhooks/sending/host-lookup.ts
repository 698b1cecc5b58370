import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Env } from '../../config/env.js';
import { isPublicAddress } from './public-address.js';

/** The call was not made: the host has an address that webhooks may not reach. */
export class PrivateAddressError extends Error {
  constructor() {
    super('the host has a private address: only WEBHOOK_PRIVATE=on allows it');
  }
}

/**
 * Resolves the hosts of webhooks. The connection is made to the addresses that were checked, so a name
 * that is resolved to another address a moment later (DNS rebinding) gains nothing.
 */
@Injectable()
export class HostLookup {
  constructor(private readonly env: Env) {}

  /** For `http.request`. Node does not call it for an address; see `check`. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.resolve(hostname, (error, addresses) => {
      const [first] = addresses;
      const problem =
        error ??
        (first && addresses.every(({ address }) => this.isAllowed(address))
          ? null
          : new PrivateAddressError());
      if (problem || !first) return callback(problem ?? new PrivateAddressError(), '', 4);
      if (options.all === true) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };

  /** @throws PrivateAddressError for a URL with such an address in place of a name */
  check({ hostname }: URL): void {
    const address = hostname.replace(/^\[|\]$/g, '');
    const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
    if (isAddress && !this.isAllowed(address)) throw new PrivateAddressError();
  }

  /** Tests replace it. */
  resolve(hostname: string, done: (error: Error | null, addresses: LookupAddress[]) => void): void {
    dnsLookup(hostname, { all: true }, (error, addresses) => done(error, addresses ?? []));
  }

  private isAllowed(address: string): boolean {
    return this.env.WEBHOOK_PRIVATE === 'on' || isPublicAddress(address);
  }
}

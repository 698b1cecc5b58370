import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Env } from '../../../platform/config/env.js';
import { isPrivateHost, isPublicAddress } from './public-address.js';

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

type ResolveCallback = (error: Error | null, addresses: LookupAddress[]) => void;

/**
 * Resolves the hosts of webhooks. The connection is made to the addresses that were checked, so it does
 * not matter if the name resolves to another address a moment later (DNS rebinding).
 */
@Injectable()
export class HostLookup {
  /** The callbacks that wait for a host name which is being resolved, by the host name. */
  private readonly waiting = new Map<string, ResolveCallback[]>();

  constructor(private readonly env: Env) {}

  /**
   * The `lookup` of `http.request`. Node does not call it when the URL has an address in place of a
   * name: `check` covers this case.
   */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.resolveShared(hostname, (error, addresses) => {
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

  /**
   * @throws PlainHttpError for an http URL without `WEBHOOK_HTTP=on`
   * @throws PrivateAddressError for a host of which no name need be resolved to know that it is private
   */
  check({ protocol, hostname }: URL): void {
    if (protocol !== 'https:' && this.env.WEBHOOK_HTTP !== 'on') throw new PlainHttpError();
    if (this.env.WEBHOOK_PRIVATE !== 'on' && isPrivateHost(hostname)) {
      throw new PrivateAddressError();
    }
  }

  /** Resolves a host name. Tests replace this method. */
  resolve(hostname: string, done: ResolveCallback): void {
    dnsLookup(hostname, { all: true }, (error, addresses) => done(error, addresses ?? []));
  }

  /**
   * Resolves a host name once for all concurrent calls. So a host whose name server does not answer
   * occupies only one of the four threads in which Node resolves names.
   */
  private resolveShared(hostname: string, done: ResolveCallback): void {
    const waiting = this.waiting.get(hostname);
    if (waiting) {
      waiting.push(done);
      return;
    }
    const callbacks = [done];
    this.waiting.set(hostname, callbacks);
    this.resolve(hostname, (error, addresses) => {
      this.waiting.delete(hostname);
      for (const callback of callbacks) callback(error, addresses);
    });
  }

  private isAllowed(address: string): boolean {
    return this.env.WEBHOOK_PRIVATE === 'on' || isPublicAddress(address);
  }
}

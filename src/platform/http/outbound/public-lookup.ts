import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.js';

export type ResolveCallback = (error: Error | null, addresses: LookupAddress[]) => void;

/**
 * Resolves the hosts of URLs that others have given. The connection is made to the addresses that were checked, so
 * it does not matter if the name resolves to another address a moment later (DNS rebinding).
 */
export abstract class PublicLookup {
  /** The callbacks that wait for a host name which is being resolved, by the host name. */
  private readonly waiting = new Map<string, ResolveCallback[]>();

  /**
   * The `lookup` of `http.request`. Node does not call it when the URL has an address in place of a
   * name, which `isPrivateHost` tells.
   */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.resolveShared(hostname, (error, addresses) => {
      const [first] = addresses;
      const problem =
        error ??
        (first && addresses.every(({ address }) => this.isAllowed(address))
          ? null
          : this.refusal());
      if (problem || !first) return callback(problem ?? this.refusal(), '', 4);
      if (options.all === true) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };

  /** Resolves a host name. Tests replace this method. */
  resolve(hostname: string, done: ResolveCallback): void {
    dnsLookup(hostname, { all: true }, (error, addresses) => done(error, addresses ?? []));
  }

  /** Whether a connection to this address may be made. */
  protected isAllowed(address: string): boolean {
    return isPublicAddress(address);
  }

  /** The error for a host with an address that is not allowed. */
  protected abstract refusal(): Error;

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
}

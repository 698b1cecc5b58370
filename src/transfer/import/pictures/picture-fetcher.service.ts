import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { isPrivateHost } from '../../../platform/http/outbound/public-address.js';
import { PublicLookup } from '../../../platform/http/outbound/public-lookup.js';
import { PictureTrouble } from './picture-source.js';

/** Milliseconds that a picture may take, redirects included. */
const TIMEOUT_MS = 60_000;

/** Largest number of redirects that are followed for a picture. */
const REDIRECTS_MAX = 5;

/** How often a picture is asked for whose server is busy or breaks off, and the time between in milliseconds. */
const ATTEMPTS = 2;
const RETRY_MS = 1_000;

/** A failure that may be over in a moment. */
class PassingTrouble extends PictureTrouble {}

/**
 * Fetches pictures from the web: by https, and from public addresses only, whatever the articles or the servers of
 * the pictures say.
 */
@Injectable()
export class PictureFetcher extends PublicLookup {
  /**
   * Fetches a picture. Its body ends with an error when it takes too long.
   *
   * @throws PictureTrouble
   */
  async fetch(url: URL, timeoutMs = TIMEOUT_MS): Promise<Readable> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.follow(url, AbortSignal.timeout(timeoutMs));
      } catch (error) {
        if (!(error instanceof PassingTrouble) || attempt === ATTEMPTS) throw error;
        await wait(RETRY_MS);
      }
    }
  }

  protected override refusal(): Error {
    return new PictureTrouble('its host has a private address');
  }

  private async follow(start: URL, signal: AbortSignal): Promise<Readable> {
    let url = start;
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
      const response = await this.get(url, signal);
      const { statusCode = 0, headers } = response;
      if (statusCode === 200) return response;
      response.destroy();
      const target = statusCode >= 300 && statusCode < 400 ? headers.location : undefined;
      if (target === undefined) {
        const isPassing = statusCode === 429 || statusCode >= 500;
        throw new (isPassing ? PassingTrouble : PictureTrouble)(
          `its server answers with the status ${statusCode}`,
        );
      }
      const next = URL.parse(target, url.href);
      if (!next) throw new PictureTrouble('its server redirects to what is no URL');
      url = next;
    }
    throw new PictureTrouble(`its server redirects more than ${REDIRECTS_MAX} times`);
  }

  private get(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    if (url.protocol !== 'https:') throw new PictureTrouble('only https is fetched');
    // Node resolves no name if there is none to resolve.
    const isAddress = /^\[.*\]$|^[\d.]+$/.test(url.hostname);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isAddress ? !this.isAllowed(host) : isPrivateHost(url.hostname)) throw this.refusal();
    return new Promise((resolve, reject) => {
      const asked = request(
        url,
        {
          // Each request opens a connection of its own, because the address is checked when a connection opens.
          agent: false,
          lookup: this.lookup,
          signal,
          headers: { accept: 'image/*', 'user-agent': 'Pressroom' },
        },
        resolve,
      );
      asked.on('error', (error) => reject(troubleOf(error, signal)));
      asked.end();
    });
  }
}

function troubleOf(error: Error, signal: AbortSignal): Error {
  if (error instanceof PictureTrouble) return error;
  if (signal.aborted) return new PictureTrouble('its server takes too long');
  return new PassingTrouble(`it cannot be reached (${error.message})`);
}

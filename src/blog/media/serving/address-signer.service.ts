import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import ms from 'ms';
import { SigningKeys } from '../../../auth/keys/signing-keys.js';
import { Clock } from '../../../platform/clock.js';

/** How long a signed address opens a picture at most. */
const SIGNED_MS = ms('15m');

/** The step by which the ends of signed addresses move: they open a picture for 10 to 15 minutes. */
const STEP_MS = ms('5m');
const STEP_SECONDS = STEP_MS / 1_000;

/** Length of a signature in base64url characters: 132 bits. */
const SIGNATURE_LENGTH = 22;

/** The query of a signed address. */
export interface SignedQuery {
  /** When it ends, in seconds since 1970. */
  readonly until?: number;
  /** The id of the preview with which it ends, if it belongs to one. */
  readonly preview?: string;
  readonly signature?: string;
}

/**
 * Signs the addresses of pictures that are not public, since a browser sends no headers for them. A signature is good
 * for one picture in all its sizes.
 */
@Injectable()
export class AddressSigner {
  constructor(
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
  ) {}

  /**
   * @param id of the picture, 24 hexadecimal digits
   * @param preview the preview for which the address is, and when that one ends
   * @returns the query of the address, without its question mark
   */
  sign(id: string, preview?: { readonly id: string; readonly expiresAt: Date }): string {
    const end = preview?.expiresAt.getTime() ?? this.clock.now().getTime() + SIGNED_MS;
    // An address stays the same for some minutes, so that a page which reads a draft again keeps its pictures.
    const until = preview ? Math.floor(end / 1_000) : Math.floor(end / STEP_MS) * STEP_SECONDS;
    const signature = macOf(this.keys.current.mediaKey, id, until, preview?.id);
    const ofPreview = preview ? `&preview=${preview.id}` : '';
    return `until=${until}${ofPreview}&signature=${signature}`;
  }

  /** Whether the query opens the picture now. Whether its preview has ended is not known here. */
  isSigned(id: string, { until = 0, preview, signature = '' }: SignedQuery): boolean {
    if (until * 1_000 <= this.clock.now().getTime()) return false;
    const given = Buffer.from(signature);
    return this.keys.keys.some(({ mediaKey }) => {
      const expected = Buffer.from(macOf(mediaKey, id, until, preview));
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  }
}

function macOf(key: Buffer, id: string, until: number, preview = ''): string {
  const mac = createHmac('sha256', key).update(`${id} ${until} ${preview}`);
  return mac.digest('base64url').slice(0, SIGNATURE_LENGTH);
}

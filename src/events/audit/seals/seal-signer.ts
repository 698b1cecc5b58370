import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SigningKeys } from '../../../auth/keys/signing-keys.js';
import type { Signature } from './audit-seal.schema.js';

/** Makes and checks the MACs of seals: HMAC-SHA-256 under a key that is derived from a signing key. */
@Injectable()
export class SealSigner {
  constructor(private readonly keys: SigningKeys) {}

  sign(text: string): Signature {
    const { kid, auditKey } = this.keys.current;
    return { kid, mac: macOf(auditKey, text) };
  }

  /** @returns null when the signing key is not configured any more */
  isSigned(text: string, { kid, mac }: Signature): boolean | null {
    const key = this.keys.find(kid);
    return key && macOf(key.auditKey, text) === mac;
  }
}

function macOf(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

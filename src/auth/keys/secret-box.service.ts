import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Schema as MongooseSchema } from 'mongoose';
import type { Creation } from '../../platform/idempotency/creation.js';
import { SigningKeys } from './signing-keys.js';

/** A text that is encrypted with AES-256-GCM: `iv`, `data` and `tag` in base64. */
export interface SealedText {
  /** Id of the signing key that the encryption key is derived from. */
  readonly kid: string;
  readonly iv: string;
  readonly data: string;
  readonly tag: string;
}

export const SealedSchema = new MongooseSchema<SealedText>(
  {
    kid: { type: String, required: true },
    iv: { type: String, required: true },
    data: { type: String, required: true },
    tag: { type: String, required: true },
  },
  { _id: false, strict: 'throw' },
);

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;

/** Derives and encrypts secrets that the server has to show or read again. Its keys are not in the database. */
@Injectable()
export class SecretBox {
  constructor(private readonly keys: SigningKeys) {}

  seal(text: string): SealedText {
    const { kid, sealingKey } = this.keys.current;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, sealingKey, iv);
    const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    const [ivText, dataText, tag] = [iv, data, cipher.getAuthTag()].map((part) =>
      part.toString('base64'),
    ) as [string, string, string];
    return { kid, iv: ivText, data: dataText, tag };
  }

  /** @returns null when the signing key is not configured any more, or the text was changed */
  open({ kid, iv, data, tag }: SealedText): string | null {
    const key = this.keys.find(kid);
    if (!key) return null;
    try {
      const decipher = createDecipheriv(CIPHER, key.sealingKey, Buffer.from(iv, 'base64'));
      decipher.setAuthTag(Buffer.from(tag, 'base64'));
      const opened = [decipher.update(Buffer.from(data, 'base64')), decipher.final()];
      return Buffer.concat(opened).toString('utf8');
    } catch {
      return null;
    }
  }

  /**
   * Derives the 32 bytes of a secret from the request, so that a repetition of the request gets the
   * same secret. The bytes cannot be computed from the `Idempotency-Key` or the database alone.
   *
   * @param kind kind of the secret: the same request yields different bytes for each kind
   * @returns one result per signing key: the first for a new record, the others to find the secret of
   *   a record that was created under an earlier key
   */
  derive(kind: string, { _id, requestHash }: Creation): Buffer[] {
    const text = JSON.stringify([kind, _id, requestHash]);
    return this.keys.keys.map(({ derivingKey }) =>
      createHmac('sha256', derivingKey).update(text).digest(),
    );
  }
}

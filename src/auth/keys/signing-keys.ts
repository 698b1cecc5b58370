import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  hkdfSync,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { readOrCreateSecret, SIGNING_KEYS_FILE } from '../../platform/config/data-dir.js';
import type { Env } from '../../platform/config/env.js';
import { OperatorError } from '../../platform/config/operator.error.js';

const PEM = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----[\s\S]+?-----END \1-----/g;
const MIN_BITS = 2048;
const REFRESH_KEY_INFO = 'pressroom refresh token v1';
const REFRESH_KEY_BYTES = 32;
const SEALING_KEY_INFO = 'pressroom sealed secret v1';
const SEALING_KEY_BYTES = 32;
const DERIVING_KEY_INFO = 'pressroom derived secret v1';
const DERIVING_KEY_BYTES = 32;
const AUDIT_KEY_INFO = 'pressroom audit seal v1';
const AUDIT_KEY_BYTES = 32;
const MEDIA_KEY_INFO = 'pressroom picture address v1';
const MEDIA_KEY_BYTES = 32;

export interface SigningKey {
  /** RFC 7638 thumbprint of the public key. */
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly jwk: JsonWebKey;
  /**
   * HMAC key of refresh tokens. This key and the four below are derived from the private key, so that
   * they rotate together with it.
   */
  readonly refreshKey: Buffer;
  /** AES-256-GCM key of secrets in the database. */
  readonly sealingKey: Buffer;
  /** HMAC key of secrets that are derived from a request. */
  readonly derivingKey: Buffer;
  /** HMAC key of the seals of the audit log. */
  readonly auditKey: Buffer;
  /** HMAC key of the addresses of pictures that are not public. */
  readonly mediaKey: Buffer;
}

/** The keys in a text, without what stands between them. */
export function pemBlocks(text: string): readonly string[] {
  return text.match(PEM) ?? [];
}

/** The configured keys. The first key signs; all keys verify. */
export class SigningKeys {
  private constructor(readonly keys: readonly SigningKey[]) {}

  /**
   * Loads the keys from `JWT_PRIVATE_KEYS`, from `JWT_PRIVATE_KEYS_FILE`, or from `DATA_DIR`, where
   * a key is generated on the first start.
   *
   * @throws OperatorError naming the setting when a key is unreadable or not RSA of 2048 bits or
   *   more
   */
  static async load(env: Env): Promise<SigningKeys> {
    return SigningKeys.parse(await readPem(env));
  }

  /**
   * @param source where the text comes from, for the message
   * @throws OperatorError when the text holds no key, or one that `load` refuses
   */
  static parse({ source, text }: { readonly source: string; readonly text: string }): SigningKeys {
    const blocks = pemBlocks(text);
    if (blocks.length === 0)
      throw new OperatorError(`${source} holds no private key in PEM format`);
    return new SigningKeys(blocks.map((pem) => toSigningKey(pem, source)));
  }

  get current(): SigningKey {
    const [first] = this.keys;
    if (!first) throw new Error('no signing key');
    return first;
  }

  find(kid: string): SigningKey | null {
    return this.keys.find((key) => key.kid === kid) ?? null;
  }

  /** The JSON Web Key Set (RFC 7517) of all public keys. */
  toJwks(): { keys: JsonWebKey[] } {
    return { keys: this.keys.map(({ jwk }) => jwk) };
  }
}

async function readPem(env: Env): Promise<{ source: string; text: string }> {
  if (env.JWT_PRIVATE_KEYS) {
    // Where an environment file admits no line breaks in a value, they are written as \n.
    return { source: 'JWT_PRIVATE_KEYS', text: env.JWT_PRIVATE_KEYS.replaceAll('\\n', '\n') };
  }
  if (env.JWT_PRIVATE_KEYS_FILE) {
    const source = `JWT_PRIVATE_KEYS_FILE (${env.JWT_PRIVATE_KEYS_FILE})`;
    try {
      return { source, text: await readFile(env.JWT_PRIVATE_KEYS_FILE, 'utf8') };
    } catch (error) {
      throw new OperatorError(`${source} cannot be read: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
  const { text } = await readOrCreateSecret(env.DATA_DIR, SIGNING_KEYS_FILE, generatePem);
  return { source: `${env.DATA_DIR}/${SIGNING_KEYS_FILE}`, text };
}

async function generatePem(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MIN_BITS });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function toSigningKey(pem: string, source: string): SigningKey {
  const privateKey = parsePrivateKey(pem, source);
  const bits = privateKey.asymmetricKeyDetails?.modulusLength ?? 0;
  if (privateKey.asymmetricKeyType !== 'rsa' || bits < MIN_BITS) {
    throw new OperatorError(`${source} must hold RSA keys of at least ${MIN_BITS} bits`);
  }
  const publicKey = createPublicKey(privateKey);
  const { e, kty, n } = publicKey.export({ format: 'jwk' });
  const kid = createHash('sha256').update(JSON.stringify({ e, kty, n })).digest('base64url');
  const seed = privateKey.export({ type: 'pkcs8', format: 'der' });
  return {
    kid,
    privateKey,
    publicKey,
    jwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' },
    refreshKey: Buffer.from(hkdfSync('sha256', seed, kid, REFRESH_KEY_INFO, REFRESH_KEY_BYTES)),
    sealingKey: Buffer.from(hkdfSync('sha256', seed, kid, SEALING_KEY_INFO, SEALING_KEY_BYTES)),
    derivingKey: Buffer.from(hkdfSync('sha256', seed, kid, DERIVING_KEY_INFO, DERIVING_KEY_BYTES)),
    auditKey: Buffer.from(hkdfSync('sha256', seed, kid, AUDIT_KEY_INFO, AUDIT_KEY_BYTES)),
    mediaKey: Buffer.from(hkdfSync('sha256', seed, kid, MEDIA_KEY_INFO, MEDIA_KEY_BYTES)),
  };
}

function parsePrivateKey(pem: string, source: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    throw new OperatorError(`${source} holds a private key that cannot be read`, { cause: error });
  }
}

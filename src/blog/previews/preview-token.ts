import { createHash, randomBytes } from 'node:crypto';

/** The form of a token: 32 bytes in base64url. */
export const PREVIEW_TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

export const PREVIEW_TOKEN_EXAMPLE = 'mT4x0Rz7cJ2oW9yQ5hVbL1nE8sKdG3fA6uPiXqZtCwM';

/** The form of the hash of a token, which is the id of its preview. */
export const PREVIEW_HASH_PATTERN = /^[0-9a-f]{64}$/;

/** @param bytes 32 bytes; random ones by default */
export function newPreviewToken(bytes: Buffer = randomBytes(32)): string {
  return bytes.toString('base64url');
}

/**
 * The hash by which a token is stored: SHA-256 in hex, of the text itself, so that two spellings of
 * the same bytes are two tokens. A fast hash is safe, because the token has 256 random bits.
 */
export function hashPreviewToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

import { hashSecret, SecretForm } from '../platform/text/secret-form.js';

/** `pr_` marks a key as Pressroom's. */
const FORM = new SecretForm('pr_');

/** Longest key that is looked up, in characters. Keys of this server and of older versions are shorter. */
const MAX_API_KEY_LENGTH = 256;
const PREFIX_LENGTH = 8;

/** @param bytes the 32 bytes of the secret, random by default */
export function generateApiKey(bytes?: Buffer): string {
  return FORM.generate(bytes);
}

/**
 * Whether a key may exist. A key that is too long, or whose checksum is wrong, needs no query. A key
 * of another form may be of an older server.
 */
export function isPlausibleApiKey(key: string): boolean {
  return key.length <= MAX_API_KEY_LENGTH && !FORM.isMistyped(key);
}

/** The hash by which a key is stored. */
export function hashApiKey(key: string): string {
  return hashSecret(key);
}

/** The part of a key that may be shown: its first 8 characters, but at most half of it. */
export function prefixOf(key: string): string {
  return key.slice(0, Math.min(PREFIX_LENGTH, Math.floor(key.length / 2)));
}

/** @param expiresAt the stored expiry; a value that is no Date counts as expired */
export function hasExpired(expiresAt: unknown, now: Date): boolean {
  if (expiresAt === undefined || expiresAt === null) return false;
  return !(expiresAt instanceof Date) || expiresAt <= now;
}

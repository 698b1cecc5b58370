import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const MARK = 'pr_';
/** 32 bytes in base62. */
const SECRET_LENGTH = 43;
/** 32 bits in base62. */
const CHECKSUM_LENGTH = 6;
const FORMAT = new RegExp(`^${MARK}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** Longer than any key, ours or an older server's. */
export const MAX_API_KEY_LENGTH = 256;
const PREFIX_LENGTH = 8;

/** A new key: recognisable by its mark, with a checksum that catches typing errors. */
export function generateApiKey(): string {
  const secret = toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_LENGTH);
  return `${MARK}${secret}${checksum(secret)}`;
}

/** False for what looks like a key of ours but cannot be one; such a key costs no look-up. */
export function isPlausibleApiKey(key: string): boolean {
  if (key.length > MAX_API_KEY_LENGTH) return false;
  if (!FORMAT.test(key)) return true;
  const secret = key.slice(MARK.length, MARK.length + SECRET_LENGTH);
  return key.endsWith(checksum(secret));
}

/** SHA-256 in hex: enough for a secret of 256 random bits. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** What may be shown of a key: its first characters, but never more than half of a short one. */
export function prefixOf(key: string): string {
  return key.slice(0, Math.min(PREFIX_LENGTH, Math.floor(key.length / 2)));
}

function checksum(secret: string): string {
  return toBase62(BigInt(crc32(secret)), CHECKSUM_LENGTH);
}

function toBase62(value: bigint, length: number): string {
  const digits: string[] = [];
  for (let rest = value; digits.length < length; rest /= 62n) {
    digits.unshift(ALPHABET.charAt(Number(rest % 62n)));
  }
  return digits.join('');
}

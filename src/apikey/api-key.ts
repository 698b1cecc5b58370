import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Marks a key as Pressroom's, for people and secret scanners. */
const MARK = 'pr_';
/** Length of the secret in characters: 32 bytes in base62. */
const SECRET_LENGTH = 43;
/** Length of the checksum in characters: 32 bits in base62. */
const CHECKSUM_LENGTH = 6;
const FORMAT = new RegExp(`^${MARK}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** Longest key that is looked up, in characters. Keys of this server and of older versions are shorter. */
const MAX_API_KEY_LENGTH = 256;
const PREFIX_LENGTH = 8;

/**
 * @param bytes the 32 bytes of the secret, random by default
 * @returns a key: `pr_`, the secret in base62, and the CRC-32 checksum of this text, in base62 as well
 */
export function generateApiKey(bytes: Buffer = randomBytes(32)): string {
  const secret = toBase62(BigInt(`0x${bytes.toString('hex')}`), SECRET_LENGTH);
  return `${MARK}${secret}${checksum(secret)}`;
}

/**
 * Whether a key may exist. A key that is too long, or whose checksum is wrong, needs no query. A key
 * of another form may be of an older server.
 */
export function isPlausibleApiKey(key: string): boolean {
  if (key.length > MAX_API_KEY_LENGTH) return false;
  if (!FORMAT.test(key)) return true;
  const secret = key.slice(MARK.length, MARK.length + SECRET_LENGTH);
  return key.endsWith(checksum(secret));
}

/**
 * The hash by which a key is stored: SHA-256 in hex. A fast hash is safe, because the secret of a
 * generated key has 256 random bits.
 */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** The part of a key that may be shown: its first 8 characters, but at most half of it. */
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

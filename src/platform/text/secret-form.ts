import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Length of the secret in characters: 32 bytes in base62. */
const SECRET_LENGTH = 43;
/** Length of the checksum in characters: 32 bits in base62. */
const CHECKSUM_LENGTH = 6;

/**
 * The form of the secrets of one kind: a mark, by which people and secret scanners know the kind, 32 bytes in base62,
 * and the CRC-32 checksum of these digits, in base62 as well.
 */
export class SecretForm {
  private readonly format: RegExp;

  constructor(private readonly mark: string) {
    this.format = new RegExp(`^${mark}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);
  }

  /** @param bytes the 32 bytes of the secret, random by default */
  generate(bytes: Buffer = randomBytes(32)): string {
    const secret = toBase62(BigInt(`0x${bytes.toString('hex')}`), SECRET_LENGTH);
    return `${this.mark}${secret}${checksum(secret)}`;
  }

  /** Whether the text has this form, apart from its checksum. */
  matches(text: string): boolean {
    return this.format.test(text);
  }

  /** Whether the text has this form, but a wrong checksum, so that nobody needs to look it up. */
  isMistyped(text: string): boolean {
    const secret = text.slice(this.mark.length, this.mark.length + SECRET_LENGTH);
    return this.matches(text) && !text.endsWith(checksum(secret));
  }
}

/**
 * The hash by which a secret is stored: SHA-256 in hex. A fast hash is safe, because a generated secret has 256
 * random bits.
 */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
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

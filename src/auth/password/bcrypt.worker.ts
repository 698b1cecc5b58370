import { createRequire } from 'node:module';
import { workerData } from 'node:worker_threads';
import type * as native from '@node-rs/bcrypt';
import type bcryptJs from 'bcryptjs';

/**
 * This module runs on the threads of PasswordHasher's pool. It imports no other source file, so
 * that Node can run it both compiled and, in tests, as TypeScript.
 */

const require = createRequire(import.meta.url);

/** The native module, and its replacement in JavaScript for platforms without a build of it. */
export type BcryptName = '@node-rs/bcrypt' | 'bcryptjs';

/**
 * bcrypt as one of the two modules provides it. It uses the first 72 bytes of a password, NUL
 * included.
 */
export interface Bcrypt {
  readonly name: BcryptName;
  /** @returns `$2b$`, the cost, salt and digest: 60 characters */
  hash(password: Buffer, cost: number): string;
  /** @param hash a hash that begins with `$2a$`, `$2b$` or `$2y$`; the three are treated alike */
  matches(password: Buffer, hash: string): boolean;
}

/** The `workerData` of a thread of the pool. */
export interface BcryptThreadData {
  readonly bcrypt: BcryptName;
}

/** @returns the named module, or bcryptjs if the native module cannot be loaded */
export function loadBcrypt(name: BcryptName = '@node-rs/bcrypt'): Bcrypt {
  if (name === 'bcryptjs') return loadBcryptJs();
  try {
    return loadNative();
  } catch {
    // The native module has no build for this platform, or was not installed as an optional
    // package.
    return loadBcryptJs();
  }
}

/** @throws Error where there is no build for this platform */
function loadNative(): Bcrypt {
  const { hashSync, verifySync } = require('@node-rs/bcrypt') as typeof native;
  return {
    name: '@node-rs/bcrypt',
    hash: (password, cost) => hashSync(password, cost),
    matches: (password, hash) => verifySync(password, hash),
  };
}

/** bcryptjs takes strings only, and encodes them as UTF-8 again. */
function loadBcryptJs(): Bcrypt {
  const { hashSync, compareSync } = require('bcryptjs') as typeof bcryptJs;
  return {
    name: 'bcryptjs',
    hash: (password, cost) => hashSync(password.toString('utf8'), cost),
    matches: (password, hash) => compareSync(password.toString('utf8'), hash),
  };
}

/** The module of this thread. The main thread passes its name on to the threads of the pool. */
export const ownBcrypt = loadBcrypt((workerData as BcryptThreadData | null)?.bcrypt);

/** Salt and digest that no password matches. A comparison with them takes the usual time. */
const DUMMY_HASH = '.'.repeat(53);

/**
 * A well-formed hash: a cost from 4 to 31, and a salt of 16 and a digest of 23 bytes without stray
 * bits in their last base64 character. The native module rejects any other hash at once, and the
 * fast response would show that the account exists.
 */
const BCRYPT_HASH =
  /^\$2[aby]\$(0[4-9]|[12]\d|3[01])\$[./0-9A-Za-z]{21}[.Oeu][./0-9A-Za-z]{30}[.CGKOSWaeimquy26]$/;

export interface Comparison {
  readonly password: string;
  /** The stored hash; null when there is no account. */
  readonly hash: string | null;
  /** The configured cost: the logarithm to base 2 of the rounds. */
  readonly cost: number;
}

/**
 * Whether the password matches the hash. A failure takes at least 2^cost rounds, so that its time does
 * not show whether an account exists (OWASP: user enumeration). Without an account, or with a
 * malformed hash, a dummy hash is compared. If the stored hash has a lower cost, comparisons with
 * dummy hashes add the missing rounds.
 */
export function compare({ password, hash, cost }: Comparison, bcrypt = ownBcrypt): boolean {
  const bytes = bytesOf(password);
  const storedCost = costOf(hash);
  if (hash !== null && storedCost !== null && bcrypt.matches(bytes, hash)) return true;
  for (const dummyCost of missingCosts(storedCost, cost)) {
    bcrypt.matches(bytes, `$2b$${String(dummyCost).padStart(2, '0')}$${DUMMY_HASH}`);
  }
  return false;
}

/** @returns a hash in the form `$2b$…` */
export function hash(
  { password, cost }: { password: string; cost: number },
  bcrypt = ownBcrypt,
): string {
  return bcrypt.hash(bytesOf(password), cost);
}

/**
 * Does nothing: running this task starts a thread.
 *
 * @returns the module that the thread uses
 */
export function wake(): BcryptName {
  return ownBcrypt.name;
}

const COMMON_PASSWORD_COUNT = 3_000;
/** Shortest password in the list, in characters: shorter ones are refused by their length alone. */
const MIN_LENGTH = 8;

let commonPasswords: Promise<ReadonlySet<string>> | undefined;

/**
 * Whether the password is one of the 3,000 most common passwords of 8 characters or more, ignoring
 * case.
 */
export async function isCommon(password: string): Promise<boolean> {
  commonPasswords ??= loadCommonPasswords();
  return (await commonPasswords).has(password.toLowerCase());
}

/** Loads the list on first use, on a pool thread, because it takes 20 MB of memory and 50 ms. */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const byRank = dictionary['passwords-common'];
  const longEnough = byRank.filter((password) => password.length >= MIN_LENGTH);
  return new Set(longEnough.slice(0, COMMON_PASSWORD_COUNT));
}

/**
 * The bytes of a password in UTF-8, with U+FFFD for an unpaired surrogate, which the two modules
 * would encode differently.
 */
function bytesOf(password: string): Buffer {
  return Buffer.from(password, 'utf8');
}

/** @returns the cost of a bcrypt hash, 4 to 31; null if malformed */
export function costOf(hash: string | null): number | null {
  const cost = BCRYPT_HASH.exec(hash ?? '')?.[1];
  return cost === undefined ? null : Number(cost);
}

/**
 * Costs of the dummy hashes. With a stored cost s below `cost`, all comparisons together take
 * 2^s + (2^s + 2^(s+1) + … + 2^(cost-1)) = 2^cost rounds.
 */
function missingCosts(stored: number | null, cost: number): number[] {
  if (stored === null) return [cost];
  return Array.from({ length: Math.max(0, cost - stored) }, (_, index) => stored + index);
}

import bcrypt from 'bcryptjs';

/**
 * Runs on the threads of PasswordHasher's pool. It imports no file of ours, so that Node runs it as
 * it is, compiled or not.
 */

/** An empty salt and an empty digest: no password has it, and comparing takes as long as ever. */
const DECOY = '.'.repeat(53);

const BCRYPT_HASH = /^\$2[aby]\$(\d\d)\$[./0-9A-Za-z]{53}$/;

export interface Comparison {
  readonly password: string;
  /** What is stored; null when there is no account. */
  readonly hash: string | null;
  /** Today's cost. */
  readonly cost: number;
}

/**
 * Whether the password is the one that was hashed. A failure costs 2^cost rounds whatever is
 * stored, so that its time tells nothing: no account and what is no hash are compared with a
 * decoy, and a hash of lower cost is followed by decoys whose rounds add up to the rest.
 */
export function compare({ password, hash, cost }: Comparison): boolean {
  const storedCost = costOf(hash);
  if (hash !== null && storedCost !== null && bcrypt.compareSync(password, hash)) return true;
  for (const decoyCost of missingCosts(storedCost, cost)) {
    bcrypt.compareSync(password, `$2b$${String(decoyCost).padStart(2, '0')}$${DECOY}`);
  }
  return false;
}

export function hash({ password, cost }: { password: string; cost: number }): string {
  return bcrypt.hashSync(password, cost);
}

/** Nothing but a thread to run on. */
export function wake(): void {
  // There is one now.
}

const COMMON_PASSWORDS = 3_000;
/** Shorter ones are refused for their length. */
const MIN_LENGTH = 8;

let commonPasswords: Promise<ReadonlySet<string>> | undefined;

/** Whether it is among the 3,000 most common passwords that are long enough, case aside. */
export async function isCommon(password: string): Promise<boolean> {
  commonPasswords ??= loadCommonPasswords();
  return (await commonPasswords).has(password.toLowerCase());
}

/** Read here, with the first new password: the whole list takes 20 MB, and 50 ms to unpack. */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const byRank = dictionary['passwords-common'];
  const longEnough = byRank.filter((password) => password.length >= MIN_LENGTH);
  return new Set(longEnough.slice(0, COMMON_PASSWORDS));
}

function costOf(hash: string | null): number | null {
  const cost = BCRYPT_HASH.exec(hash ?? '')?.[1];
  return cost === undefined ? null : Number(cost);
}

/** 2^c + (2^c + 2^(c+1) + … + 2^(cost-1)) is 2^cost. */
function missingCosts(stored: number | null, cost: number): number[] {
  if (stored === null) return [cost];
  return Array.from({ length: Math.max(0, cost - stored) }, (_, index) => stored + index);
}

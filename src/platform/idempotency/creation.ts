import { createHash } from 'node:crypto';
import { Types } from 'mongoose';

/** The fields that `Idempotency-Key` determines for the record that a request creates. */
export interface Creation {
  readonly _id: Types.ObjectId;
  /**
   * SHA-256 of the request and its key, in base64url. Without the key, which the server does not
   * store, nobody can find out the content of a request by guessing.
   */
  readonly requestHash: string;
}

/**
 * The fields of a stored record that Idempotency reads. `requestHash` is missing if the record was created
 * without a key.
 */
export interface CreatedRecord {
  readonly _id: unknown;
  readonly requestHash?: string;
}

interface KeyedRequest {
  /** Method and path template, such as `POST /contact`. */
  readonly route: string;
  /** Who sends the request: the id of the user, or the API key if the request needs no user. */
  readonly caller: { readonly user: string } | { readonly apiKey: string };
  readonly key: string;
  /** The parameters of the path. */
  readonly params: unknown;
  readonly body: unknown;
}

const KEY_PATTERN_BARE = '[!#-~][!-~]{0,254}';
const KEY_PATTERN_QUOTED = '"(?:[!#-\\[\\]-~]|\\\\["\\\\]){1,255}"';

/**
 * The form of a key: 1 to 255 visible ASCII characters, plain or as a string of RFC 9651, section
 * 3.3.3.
 */
export const KEY_PATTERN = `^(?:${KEY_PATTERN_BARE}|${KEY_PATTERN_QUOTED})$`;

const KEY = new RegExp(KEY_PATTERN);

const ID_BYTES = 12;

/** @returns the key without quotes and escapes; null for a malformed one */
export function parseKey(header: string): string | null {
  if (!KEY.test(header)) return null;
  return header.startsWith('"') ? header.slice(1, -1).replace(/\\(.)/g, '$1') : header;
}

/**
 * Derives the id and the hash of a creation, which are the same for every repetition of a request. If the
 * same user sends a different request with the same key, it gets the same id and a different hash. Without a
 * user, a different request gets a different id as well, because many people share an API key.
 */
export function creationOf({ route, caller, key, params, body }: KeyedRequest): Creation {
  const requestHash = hash([route, caller, key, params, body ?? {}]).toString('base64url');
  const parts = [route, caller, key, ...('user' in caller ? [] : [requestHash])];
  return { _id: new Types.ObjectId(hash(parts).subarray(0, ID_BYTES)), requestHash };
}

/** JSON separates the parts, so that different parts give different hashes. */
function hash(parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

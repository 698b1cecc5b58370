import { createHash } from 'node:crypto';
import { mongo } from 'mongoose';
import type { AuditSeal } from './audit-seal.schema.js';

const { EJSON } = mongo.BSON;

/** Fields of a record that are not sealed: `seal` is set afterwards. */
const UNSEALED_FIELDS: readonly string[] = ['seal'];

/**
 * SHA-256 of audit records, whatever the order in which they and their fields are read. Fields that the schema does not
 * declare count as well.
 */
export function digestOf(records: readonly mongo.Document[]): string {
  const hash = createHash('sha256');
  for (const line of records.map(lineOf).sort()) hash.update(line);
  return hash.digest('base64url');
}

/** The text that the MAC of a seal covers. The digest covers the ids of the records. */
export function sealText({
  _id,
  previous,
  digest,
  sealedAt,
}: Pick<AuditSeal, '_id' | 'previous' | 'digest' | 'sealedAt'>): string {
  return JSON.stringify(['seal', _id, previous, digest, sealedAt]);
}

/** The text that the MAC of an expiry covers. */
export function expiryText({ _id, mac }: Pick<AuditSeal, '_id' | 'mac'>, at: Date): string {
  return JSON.stringify(['expiry', _id, mac, at]);
}

/** The record as one line of Extended JSON with sorted fields. The id comes first, so that lines sort by it. */
function lineOf({ _id, ...fields }: mongo.Document): string {
  const sealed = Object.entries(fields).filter(([name]) => !UNSEALED_FIELDS.includes(name));
  return `${EJSON.stringify([_id, inOrder(Object.fromEntries(sealed))], { relaxed: false })}\n`;
}

function inOrder(value: unknown): unknown {
  if (Object.getPrototypeOf(value ?? 0) !== Object.prototype) return value;
  const entries = Object.entries(value as mongo.Document);
  return Object.fromEntries(
    entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([k, v]) => [k, inOrder(v)]),
  );
}

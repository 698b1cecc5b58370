import { Types } from 'mongoose';
import { KeySet } from '../../platform/database/migrations/key-set.js';
import type { Migration } from '../../platform/database/migrations/migration.js';
import { ReportBuilder } from '../../platform/database/migrations/report-builder.js';
import { storedText } from '../../platform/database/migrations/stored-values.js';
import {
  differences,
  readRecords,
  updateInRounds,
  type RecordPlan,
  type StoredRecord,
} from '../../platform/database/migrations/update-records.js';
import { normalizeEmail } from '../email.decorator.js';

const FIELDS = ['email', 'name', 'roles', 'status', 'epoch', 'updatedAt'] as const;

/** The name that an account without a name gets. Its owner can change it. */
const UNKNOWN_NAME = 'Unknown';

const KINDS: Readonly<Record<string, string>> = {
  email: 'address lower-cased',
  name: `missing name became "${UNKNOWN_NAME}"`,
  roles: 'missing roles became LEARNER',
  status: 'missing status set to true',
  epoch: 'fields of this version filled in',
};

/** Ids of accounts by normalised email address, for addresses that several accounts share. */
type SharedAddresses = ReadonlyMap<string, readonly string[]>;

/** Adapts accounts of an older server. The role migration must run first. */
export const userMigration: Migration = {
  name: '2026-11-users',
  async run(db, { dryRun, beforeWrite }) {
    const users = db.collection('users');
    const report = new ReportBuilder('user');
    const learner = await db.collection('roles').findOne({ code: 'LEARNER' });
    // The role is missing only in a dry run, which does not insert it.
    const initialRole = learner?._id ?? new Types.ObjectId();
    await updateInRounds(users, {
      dryRun,
      fields: FIELDS,
      report,
      beforeWrite,
      prepare: async () => {
        const shared = await findSharedAddresses(() => readRecords(users, ['email']));
        return (user) => planUser(user, shared, initialRole);
      },
    });
    return report.build();
  },
};

/** @param initialRole given to an account without a role */
function planUser(
  user: StoredRecord,
  shared: SharedAddresses,
  initialRole: Types.ObjectId,
): RecordPlan {
  const stored = storedText(user['email']);
  const email = stored === null ? null : normalizeEmail(stored);
  const idsWithSameEmail = shared.get(email ?? '');
  const name = storedText(user['name']) ?? '';
  const hasRoles = Array.isArray(user['roles']) && user['roles'].length > 0;
  const set = differences(user, {
    ...(email === null || idsWithSameEmail ? {} : { email }),
    name: name.trim() === '' ? UNKNOWN_NAME : name,
    roles: hasRoles ? user['roles'] : [initialRole],
    status: user['status'] !== false,
    epoch: typeof user['epoch'] === 'number' ? user['epoch'] : 0,
  });
  return {
    set,
    unset: [],
    kinds: Object.keys(set).map((field) => KINDS[field] ?? field),
    lines: [],
    unresolved: unresolvedOf(String(user._id), email, idsWithSameEmail),
  };
}

function unresolvedOf(
  id: string,
  email: string | null,
  idsWithSameEmail: readonly string[] | undefined,
): RecordPlan['unresolved'] {
  if (email === null || email === '') {
    const kind = 'it has no email address, so its owner cannot sign in';
    return [{ kind, line: `user ${id}: ${kind}; set its email in the collection users` }];
  }
  if (!idsWithSameEmail) return [];
  const kind = 'its email in lower case equals that of another user, so it was not changed';
  const others = idsWithSameEmail.filter((other) => other !== id).join(', ');
  return [
    {
      kind,
      line:
        `user ${id}: ${kind} ("${email}", also user ${others}); change or remove all but one ` +
        'in the collection users and migrate again',
    },
  ];
}

/**
 * Finds the addresses that several accounts share. It reads users twice, so that only shared
 * addresses need ids in memory.
 *
 * @param read starts a read
 */
async function findSharedAddresses(
  read: () => AsyncIterable<StoredRecord>,
): Promise<SharedAddresses> {
  const seen = new KeySet();
  const repeated = new Map<string, string[]>();
  for await (const { email } of read()) {
    const address = normalizeEmail(storedText(email) ?? '');
    if (address !== '' && !seen.add(address)) repeated.set(address, []);
  }
  if (repeated.size === 0) return repeated;
  for await (const { _id, email } of read()) {
    repeated.get(normalizeEmail(storedText(email) ?? ''))?.push(String(_id));
  }
  return new Map([...repeated].filter(([, ids]) => ids.length > 1));
}

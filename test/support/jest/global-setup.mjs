import { existsSync, mkdirSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { buildIfStale } from '../../../scripts/build-if-stale.mjs';
import { startReplicaSet } from '../../../scripts/support/replica-set.mjs';

export let mongo;

/** The folder of the databases of this run. */
export let folder;

/** A file system in memory, which Linux has. */
const MEMORY = '/dev/shm';

/** How much must be free there, in bytes: three times what two sets of three members need at once. */
const NEEDED = 6 * 2 ** 30;

/**
 * Settings for a `mongod` of many short-lived databases. By default, it keeps the files of a dropped collection
 * for five minutes, and an unused file open for ten: a run would need more open files than a process may have.
 * The window in seconds is longer than any test reads at one snapshot.
 */
const CLOSES_FILES_SOON = [
  '--setParameter',
  'minSnapshotHistoryWindowInSeconds=30',
  '--wiredTigerEngineConfigString',
  'file_manager=(close_idle_time=30,close_scan_interval=5,close_handle_minimum=250)',
];

/**
 * Starts one replica set for the whole run. Jest's workers get its URI in PRESSROOM_TEST_MONGODB. The build
 * comes first, because the replica set and the tests of the scripts need it.
 */
export default async function startMongo() {
  buildIfStale();
  // The data need not outlive the machine, and memory need not be waited for.
  folder = mkdtempSync(join(hasMemory() ? MEMORY : tmpdir(), 'pressroom-test-'));
  process.env.PRESSROOM_TEST_FOLDER = folder;
  const dbPath = join(folder, 'shared');
  mkdirSync(dbPath);
  const options = { args: ['--oplogSize', '512', ...CLOSES_FILES_SOON] };
  const { mongo: started, systemBinary } = await startReplicaSet(options, dbPath);
  mongo = started;
  await acknowledgeWithoutJournal(mongo.getUri());
  process.env.PRESSROOM_TEST_MONGODB = mongo.getUri();
  // Tests that stop a database start their own with the same binary.
  process.env.PRESSROOM_TEST_MONGOD = systemBinary;
}

function hasMemory() {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= NEEDED;
}

/** Lets a majority acknowledge a write before it is in the journal. Nothing kills this database. */
async function acknowledgeWithoutJournal(uri) {
  const client = await mongoose.mongo.MongoClient.connect(uri);
  const admin = client.db('admin');
  const { config } = await admin.command({ replSetGetConfig: 1 });
  const { term: _, ...changed } = { ...config, writeConcernMajorityJournalDefault: false };
  await admin.command({ replSetReconfig: { ...changed, version: config.version + 1 } });
  await client.close();
}

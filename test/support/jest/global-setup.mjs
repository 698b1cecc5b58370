import { buildIfStale } from '../../../scripts/build-if-stale.mjs';
import { startReplicaSet } from '../../../scripts/support/replica-set.mjs';

export let mongo;

/**
 * Starts one replica set for the whole run. Jest's workers get its URI in PRESSROOM_TEST_MONGODB. The build
 * comes first, because the replica set and the tests of the scripts need it.
 */
export default async function startMongo() {
  buildIfStale();
  const { mongo: started, systemBinary } = await startReplicaSet();
  mongo = started;
  process.env.PRESSROOM_TEST_MONGODB = mongo.getUri();
  // Tests that stop a database start their own with the same binary.
  process.env.PRESSROOM_TEST_MONGOD = systemBinary;
}

import type { MongoMemoryReplSet } from 'mongodb-memory-server';

type Options = NonNullable<Parameters<(typeof MongoMemoryReplSet)['create']>[0]>;

export function startReplicaSet(
  replSet?: Options['replSet'],
  dbPath?: string,
): Promise<{ mongo: MongoMemoryReplSet; systemBinary: string }>;

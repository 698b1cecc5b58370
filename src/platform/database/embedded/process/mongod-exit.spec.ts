import { describe, expect, it } from '@jest/globals';
import { EmbeddedMongoError } from '../embedded-mongo.error.js';
import { explainMongodExit, type MongodExit } from './mongod-exit.js';

function explain(more: Partial<MongodExit>): string {
  const exit = { code: 14, log: '', freeBytes: 10 ** 10, version: '6.0.5' };
  const error = explainMongodExit({ ...exit, root: '/data', logFile: '/data/mongod.log', ...more });
  expect(error).toBeInstanceOf(EmbeddedMongoError);
  return error.message;
}

const wiredTiger = (message: string) =>
  `{"s":"E","c":"WT","msg":"WiredTiger error message","attr":{"error":28,"message":{"msg":"pwrite: ${message}"}}}\n{"s":"I","msg":"after"}`;

describe('explainMongodExit', () => {
  it.each<[string, Partial<MongodExit>, string]>([
    ['a quota', { log: wiredTiger('Disk quota exceeded') }, 'because the disk of /data is full'],
    [
      'a disk so full that the log is empty',
      { code: 134, freeBytes: 0 },
      'signal 6) and the disk of /data is full',
    ],
    [
      'a read-only disk',
      { log: wiredTiger('Read-only file system') },
      'is on a read-only file system',
    ],
    ['files of another user', { log: wiredTiger('Permission denied') }, 'belongs to another user'],
    [
      'a second mongod',
      {
        code: 100,
        log: '{"s":"E","msg":"...","attr":{"error":"DBPathInUse: Unable to lock the lock file: /data/db/mongod.lock"}}',
      },
      'another mongod holds /data',
    ],
    ['a processor without AVX', { code: 132 }, 'lacks AVX instructions'],
    ['data of an unknown version', { code: 62 }, 'was written by another version of MongoDB'],
    [
      'any other error in the log',
      {
        log: '{"s":"F","msg":"Fatal assertion","attr":{"error":"Location1: so it is"}}\n{"s":"I","msg":"x"}',
      },
      'MongoDB ended (exit code 14): Fatal assertion (Location1: so it is). No acknowledged write is lost',
    ],
    [
      'an unknown exit code and an empty log',
      { code: null },
      'MongoDB ended (without an exit code). No acknowledged write is lost',
    ],
  ])('should explain %s', (_case, exit, words) => {
    expect(explain(exit)).toContain(words);
    expect(explain(exit)).toMatch(/ Its log is \/data\/mongod\.log\.$/);
  });
});

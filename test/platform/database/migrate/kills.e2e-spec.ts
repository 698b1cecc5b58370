import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import mongoose, { type mongo } from 'mongoose';
import { AppModule } from '../../../../src/app.module.js';
import { BackgroundService } from '../../../../src/platform/jobs/background.service.js';
import { validateEnv } from '../../../../src/platform/config/env.js';
import {
  MIGRATIONS_LOCK,
  MigrationService,
} from '../../../../src/platform/database/migrations/migration.service.js';
import { migrationsOf } from '../../../../src/migrations.js';
import { connect, freshDatabaseUri } from '../../../support/mongo/mongo.js';
import { runNode, temporaryFolder } from '../../../support/process.js';
import { isLong, RUNS_DEADLINE_MS } from '../../../support/scale.js';
import {
  createGoserveDatabase,
  goserveBlog,
  publishedGoserveBlog,
  type GoserveDatabase,
} from './goserve-database.js';
import { copyDatabase, hashedState, migratedState } from './migrated-state.js';

/** More blogs than two batches of the migration. */
const BLOGS = 220;
const MIGRATIONS = migrationsOf({ SEARCH_LANGUAGE: 'en' });
const WRITES = [
  'updateOne',
  'updateMany',
  'findOneAndUpdate',
  'bulkWrite',
  'deleteMany',
  'dropIndex',
] as const;

/** The word with a capital letter for each bit that is set in `nth`. */
function nthSpelling(word: string, nth: number): string {
  const letters = [...word].map((letter, at) => ((nth >> at) & 1 ? letter.toUpperCase() : letter));
  return letters.join('');
}

describe('a migration that is killed', () => {
  let goserve: GoserveDatabase;

  beforeAll(async () => {
    goserve = await createGoserveDatabase();
    const { db, roles } = goserve;
    await db.collection('roles').deleteMany({ code: { $in: ['EDITOR', 'ADMIN'] } });
    const [ada, twin] = ['Ada@Example.org', 'TWIN@example.org'].map((email) =>
      goserve.goserveUser(email, { roles: [roles.WRITER] }),
    );
    await db
      .collection('users')
      .insertMany([ada!, twin!, goserve.goserveUser('twin@example.org', { roles: null })]);
    const gone = new mongoose.Types.ObjectId();
    const blogs = Array.from({ length: BLOGS }, (_, at) => {
      // Some blogs share a slug but for its capital letters, and some authors do not exist.
      const fields = {
        author: at % 3 === 0 ? ada!._id : gone,
        ...(at % 10 === 0 ? { slug: nthSpelling('notes', at / 10) } : {}),
        // Each text has a word that no other text has.
        text: `<p>A text with ${nthSpelling('aaaaaaaa', at).replaceAll('A', 'b')}</p><script>alert(1)</script>`,
        tags: ['GO', `Tag ${at % 3}`],
      };
      return at % 4 === 0 ? goserveBlog(fields) : publishedGoserveBlog(fields);
    });
    await db.collection('blogs').insertMany(blogs.reverse());
  });

  async function copy(): Promise<{ uri: string; db: mongo.Db }> {
    const uri = freshDatabaseUri();
    const db = (await connect(uri)).db();
    await copyDatabase(goserve.db, db);
    return { uri, db };
  }

  describe('between any two of its writes', () => {
    afterEach(() => {
      jest.restoreAllMocks();
    });

    /** Makes the write number `first` and all later writes fail. @returns a list to which each write is added */
    function failFrom(first: number): string[] {
      const writes: string[] = [];
      for (const method of WRITES) {
        const { prototype } = mongoose.mongo.Collection;
        const original = Reflect.get(prototype, method) as (...args: unknown[]) => unknown;
        jest.spyOn(prototype, method).mockImplementation(function (
          this: mongo.Collection,
          ...args: unknown[]
        ) {
          // A server of an earlier file may be ending its jobs.
          if (this.collectionName === 'background_jobs') return original.apply(this, args) as never;
          writes.push(`${this.collectionName}.${method}`);
          if (writes.length >= first) throw new Error('killed');
          return original.apply(this, args) as never;
        });
      }
      return writes;
    }

    async function migrate(db: mongo.Db): Promise<void> {
      for (const migration of MIGRATIONS) await migration.run(db, { dryRun: false });
    }

    it(
      'should have the result of an undisturbed migration once it has run again',
      async () => {
        const { db } = await copy();
        const writes = failFrom(Infinity);
        await migrate(db);
        jest.restoreAllMocks();
        expect(new Set(writes)).toEqual(
          new Set([
            'api_keys.dropIndex',
            'blogs.dropIndex',
            'blogs.updateMany',
            'roles.updateOne',
            'users.bulkWrite',
            'blogs.bulkWrite',
            'lists.updateOne',
            'search_spellings.bulkWrite',
            'migrations.deleteMany',
          ]),
        );
        const expected = await migratedState(db);
        // The number of the last write of each kind; in long runs, of each write.
        const writeNumbers = writes.flatMap((write, at) =>
          isLong || writes.lastIndexOf(write) === at ? [at + 1] : [],
        );
        for (const writeNumber of writeNumbers) {
          const killed = await copy();
          failFrom(writeNumber);
          await expect(migrate(killed.db)).rejects.toThrow('killed');
          jest.restoreAllMocks();
          await migrate(killed.db);
          const write = `${writeNumber}: ${writes[writeNumber - 1]}`;
          expect([write, await migratedState(killed.db)]).toEqual([write, expected]);
        }
      },
      RUNS_DEADLINE_MS,
    );
  });

  describe('by a signal', () => {
    async function migrate(uri: string): Promise<void> {
      const env = validateEnv({ NODE_ENV: 'test', MONGODB_URI: uri });
      const module = AppModule.register({ env, joinDatabase: true, servesRequests: false });
      const app = await NestFactory.createApplicationContext(module, { logger: ['error'] });
      // Stops background jobs: the outbox relay, for example, could write between the migration and the close.
      await app.get(BackgroundService).beforeApplicationShutdown();
      await app.get(MigrationService).run({ dryRun: false });
      await app.close();
    }

    /** Migrates in another process, which kills itself before this write (1 is the first), or never if it is 0. */
    const migrateOrDie = async (uri: string, killBefore: number) =>
      runNode(['test/platform/database/migrate/killed-migration.mjs', String(killBefore)], {
        cwd: await temporaryFolder(),
        env: { NODE_ENV: 'test', MONGODB_URI: uri },
      });

    it(
      'should have the result of an undisturbed migration, and all indexes, once another process has run it',
      async () => {
        const { uri, db } = await copy();
        await migrate(uri);
        const expected = await migratedState(db);
        // Write 10 is among the batches of blogs. Long runs kill before each write, also before those of indexes.
        for (let writeNumber = isLong ? 1 : 10; isLong || writeNumber === 10; writeNumber += 1) {
          const killed = await copy();
          const { code, stderr } = await migrateOrDie(killed.uri, writeNumber);
          expect(stderr).toBe('');
          if (isLong && code === 0) break;
          expect(code).toBe('SIGKILL');
          const jobs = killed.db.collection<{ _id: string }>('background_jobs');
          // Lets the lock expire now, so that the next process does not wait for it.
          const expired = { $set: { leasedUntil: new Date(0) } };
          expect((await jobs.updateOne({ _id: MIGRATIONS_LOCK }, expired)).modifiedCount).toBe(1);
          if (!isLong) {
            const migrated = await killed.db.collection('blogs').countDocuments({ rev: 1 });
            expect([0, BLOGS]).not.toContain(migrated);
          }
          await migrate(killed.uri);
          expect([writeNumber, await migratedState(killed.db)]).toEqual([writeNumber, expected]);
        }
      },
      RUNS_DEADLINE_MS,
    );

    for (const count of isLong ? [100_000] : []) {
      it(
        `should have the result of an undisturbed migration, with ${count} blogs`,
        async () => {
          const thousandBlogs = (from: number) =>
            Array.from({ length: 1_000 }, (_, at) => {
              const text =
                `<p>${nthSpelling('aaaaaaaaaaaaaaaaa', from + at)} and others. </p>`.repeat(50);
              return publishedGoserveBlog({ text, draftText: text, tags: [`Tag ${at % 100}`] });
            });
          const blogs = goserve.db.collection('blogs');
          for (let at = BLOGS; at < count; at += 1_000) await blogs.insertMany(thousandBlogs(at));
          const [undisturbed, killed] = [await copy(), await copy()];
          const { stdout, stderr } = await migrateOrDie(undisturbed.uri, 0);
          expect(stderr).toBe('');
          process.stdout.write(`${count} blogs: ${stdout}\n`);
          for (const writeNumber of [300, 700, 1_200]) {
            expect(await migrateOrDie(killed.uri, writeNumber)).toMatchObject({
              code: 'SIGKILL',
              stderr: '',
            });
            process.stdout.write(`killed before write ${writeNumber}\n`);
          }
          const last = await migrateOrDie(killed.uri, 0);
          expect(last).toMatchObject({ code: 0 });
          process.stdout.write(`after three kills: ${last.stdout}\n`);
          expect(await hashedState(killed.db)).toEqual(await hashedState(undisturbed.db));
        },
        RUNS_DEADLINE_MS,
      );
    }
  });
});

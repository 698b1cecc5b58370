import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection, mongo, Schema } from 'mongoose';
import {
  dropOldIndexes,
  ensureIndexes,
  missingIndexes,
} from '../../../src/platform/database/indexes.js';
import { OLD_INDEXES } from '../../../src/cli/commands/migrate/old-indexes.js';
import { startApp, type TestApp } from '../../support/start-app.js';

describe('Indexes', () => {
  let server: TestApp;
  let connection: Connection;

  beforeAll(async () => {
    server = await startApp();
    connection = server.app.get<Connection>(getConnectionToken(), { strict: false });
  });

  function schemas(): (readonly [string, Schema])[] {
    return Object.values(connection.models).map(({ modelName, schema }) => [modelName, schema]);
  }

  /** Every declared index, as `blogs.slugs_1`. */
  function declared(): string[] {
    return Object.values(connection.models).flatMap(({ collection, schema }) =>
      schema.indexes().map(([keys]) => `${collection.collectionName}.${nameOf(keys)}`),
    );
  }

  describe('in the schemas', () => {
    // transfer/export.e2e-spec.ts tests that `schemas()` includes every collection.
    it('should exist for every collection except those whose reads all filter by `_id` or a range of it', () => {
      const bare = schemas().filter(([, schema]) => schema.indexes().length === 0);
      const names = bare.map(([name]) => name);
      expect(names.sort()).toEqual([
        'BackgroundJobRecord',
        'Folding',
        'NoticeState',
        'SitemapStarts',
        'Spelling',
      ]);
    });

    it('should have only declared paths in their keys and filters', () => {
      const unknown = schemas().flatMap(([model, schema]) =>
        schema
          .indexes()
          .flatMap(([keys, { partialFilterExpression = {} }]) =>
            [...Object.keys(keys), ...Object.keys(partialFilterExpression)]
              .filter((path) => schema.path(path) === undefined)
              .map((path) => `${model}.${path}`),
          ),
      );
      expect(unknown).toEqual([]);
    });

    it('should be declared on the schema, never on a field, and once', () => {
      const onFields = schemas().flatMap(([model, schema]) =>
        Object.entries(schema.paths)
          .filter(([, { options }]) => options.index ?? options.unique ?? options.sparse)
          .map(([path]) => `${model}.${path}`),
      );
      expect(onFields).toEqual([]);
      expect(new Set(declared()).size).toBe(declared().length);
    });

    it('should belong to schemas that refuse undeclared fields', () => {
      for (const [model, schema] of schemas()) {
        const options = schema['options'] as Record<string, unknown>;
        const { strict, strictQuery, versionKey, collection } = options;
        expect([model, { strict, strictQuery, versionKey }]).toEqual([
          model,
          { strict: 'throw', strictQuery: 'throw', versionKey: false },
        ]);
        expect(collection).toEqual(expect.any(String));
      }
    });
  });

  describe('in a migrated database', () => {
    it('should be exactly those that are declared, and _id', async () => {
      const stored: string[] = [];
      const models = Object.values(connection.models);
      for (const { collection } of models.filter(({ schema }) => schema.indexes().length > 0)) {
        const name = collection.collectionName;
        const indexes = await server.db.collection(name).indexes();
        stored.push(...indexes.map(({ key }) => `${name}.${nameOf(key)}`));
      }
      const own = stored.filter((name) => !name.endsWith('._id_1'));
      expect(own.sort()).toEqual(declared().sort());
      expect(await missingIndexes(connection, connection)).toEqual([]);
    });

    it.each(['sessions.expiresAt_1', 'blog_previews.expiresAt_1', 'rate_limits.expire_1'])(
      'should let MongoDB delete what has expired: %s',
      async (path) => {
        const [collection = '', index] = path.split('.');
        const stored = await server.db.collection(collection).indexes();
        expect(stored.find(({ name }) => name === index)?.expireAfterSeconds).toBe(0);
      },
    );
  });

  describe('of an earlier version', () => {
    const names = async (collection: string): Promise<string[]> =>
      (await server.db.collection(collection).indexes()).map(({ name }) => String(name));
    const old = Object.entries(OLD_INDEXES).flatMap(([collection, indexes]) =>
      indexes.map((keys) => ({ collection, keys, name: nameOf(keys) })),
    );

    it('should stay until an operator drops them', async () => {
      const collections = Object.keys(OLD_INDEXES);
      const all = async () => (await Promise.all(collections.map(names))).flat();
      const before = await all();
      for (const { collection, keys } of old) {
        await server.db.collection(collection).createIndex(keys);
      }
      await ensureIndexes(connection, connection);
      expect(await missingIndexes(connection, connection)).toEqual([]);
      expect(await all()).toEqual(expect.arrayContaining(old.map(({ name }) => name)));
      const announced = await dropOldIndexes(connection, OLD_INDEXES, { dryRun: true });
      expect(await all()).toHaveLength(before.length + old.length);
      expect(await dropOldIndexes(connection, OLD_INDEXES, { dryRun: false })).toEqual(announced);
      expect(announced).toHaveLength(old.length);
      expect((await all()).sort()).toEqual(before.sort());
      expect(await dropOldIndexes(connection, OLD_INDEXES, { dryRun: false })).toEqual([]);
    });

    it('should not be declared by this version', () => {
      const own = declared();
      expect(old.filter(({ collection, name }) => own.includes(`${collection}.${name}`))).toEqual(
        [],
      );
    });
  });

  describe('missingIndexes and ensureIndexes', () => {
    let blogs: mongo.Collection;

    beforeEach(async () => {
      blogs = server.db.collection('blogs');
      await ensureIndexes(connection, connection);
      expect(await missingIndexes(connection, connection)).toEqual([]);
    });

    const FILTER = { partialFilterExpression: { slugs: { $gt: '' } } };

    it.each([
      ['is not there', null],
      ['is not unique', FILTER],
      ['has no filter', { unique: true }],
      ['has another filter', { unique: true, partialFilterExpression: { slugs: { $gt: 'a' } } }],
      ['is sparse', { unique: true, sparse: true }],
    ] as const)('should report and recreate an index that %s', async (_what, options) => {
      await blogs.dropIndex('slugs_1');
      if (options) await blogs.createIndex({ slugs: 1 }, options);
      expect(await missingIndexes(connection, connection)).toEqual(['blogs.slugs_1']);
      expect(await ensureIndexes(connection, connection)).toEqual(new Map());
      expect(await missingIndexes(connection, connection)).toEqual([]);
      const found = (await blogs.indexes()).filter(({ key }) => nameOf(key) === 'slugs_1');
      expect(found).toHaveLength(1);
      expect(found[0]).toMatchObject({ unique: true, ...FILTER });
    });

    it('should accept an index with any name', async () => {
      await blogs.dropIndex('slugs_1');
      await blogs.createIndex({ slugs: 1 }, { unique: true, ...FILTER, name: 'by_slug' });
      expect(await missingIndexes(connection, connection)).toEqual([]);
      await blogs.dropIndex('by_slug');
    });

    it('should report an index as missing if only the order or a direction of its keys differs', async () => {
      const users = server.db.collection('users');
      await users.dropIndex('roles_1_createdAt_-1__id_-1');
      await users.createIndex({ createdAt: -1, roles: 1, _id: -1 });
      await users.createIndex({ roles: 1, createdAt: 1, _id: -1 });
      expect(await missingIndexes(connection, connection)).toEqual([
        'users.roles_1_createdAt_-1__id_-1',
      ]);
      await ensureIndexes(connection, connection);
      // An index of an operator is kept.
      expect((await users.indexes()).map(({ name }) => name)).toEqual(
        expect.arrayContaining(['createdAt_-1_roles_1__id_-1', 'roles_1_createdAt_1__id_-1']),
      );
    });

    it('should report an index with another expireAfterSeconds, and all indexes of a missing collection', async () => {
      const sessions = server.db.collection('sessions');
      await sessions.dropIndex('expiresAt_1');
      await sessions.createIndex({ expiresAt: 1 }, { expireAfterSeconds: 60 });
      await server.db.collection('messages').drop();
      expect((await missingIndexes(connection, connection)).sort()).toEqual([
        'messages.createdAt_-1__id_-1',
        'sessions.expiresAt_1',
      ]);
    });

    it('should report a unique index that duplicates prevent, and create the others', async () => {
      await blogs.dropIndex('slugs_1');
      await server.db.collection('messages').dropIndexes();
      const duplicate = { slugs: ['taken'], title: 'x' };
      const { insertedIds } = await blogs.insertMany([{ ...duplicate }, { ...duplicate }]);
      const refused = await ensureIndexes(connection, connection);
      expect([...refused.keys()]).toEqual(['blogs.slugs_1']);
      expect(await missingIndexes(connection, connection)).toEqual(['blogs.slugs_1']);
      await blogs.deleteMany({ _id: { $in: Object.values(insertedIds) } });
    });

    it('should create indexes at a start that does not run the migrations again', async () => {
      await server.db.collection('messages').dropIndexes();
      const email = 'In-Capitals@Example.org';
      const { insertedId } = await server.db
        .collection('users')
        .insertOne({ email, name: 'Ada', password: 'x', roles: [] });
      const other = await startApp({ uri: server.uri, env: { MIGRATE: 'on' } });
      await other.close();
      expect(await missingIndexes(connection, connection)).toEqual([]);
      const users = server.db.collection('users');
      // The migration of users would have lower-cased the address.
      expect(await users.findOne({ _id: insertedId })).toMatchObject({ email });
      await users.deleteOne({ _id: insertedId });
    });
  });
});

function nameOf(keys: object): string {
  return Object.entries(keys)
    .map(([path, direction]) => `${path}_${direction}`)
    .join('_');
}

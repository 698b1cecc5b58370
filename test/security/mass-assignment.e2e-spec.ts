import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { cycled, isLong } from '../support/scale.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { DAY } from '../support/time/clock.js';
import { dump, effectsBetween, type Dump, type Effect } from './effects.js';
import { callerOf, firstTarget, openFixture, pathTo, validBody } from '../routes/calls.js';
import type { Call, Caller, Fixture } from '../routes/row.js';
import { WRITE_ROUTES, type ApiRoute } from '../routes/routes.js';
import { FOREIGN_VALUES, foreignFields, prototypeBodies, storedFields } from './foreign-fields.js';

/** The parts of the API description that concern request bodies. */
interface Description {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, { readonly properties?: object }> };
}

interface Operation {
  readonly requestBody?: { content: Record<string, { readonly schema: { $ref?: string } }> };
}

/** The other name of `refresh_token`. A refresh accepts both; the description has one name for each field. */
const OTHER_NAME = 'refreshToken';

describe('Every route that writes', () => {
  let server: TestApp;
  let fixture: Fixture;
  let roleNames: ReadonlyMap<string, string>;
  let description: Description;
  let initial: Dump;

  beforeAll(async () => {
    server = await startApp();
    fixture = await openFixture(server);
    description = (await (await fetch(`${server.url}/openapi.json`)).json()) as Description;
    // Any request may store the last use of its key, once a minute. A time in the future prevents this.
    const lastUsedAt = new Date(Date.now() + DAY);
    await server.db.collection('api_keys').updateMany({}, { $set: { lastUsedAt } });
    const roles = await server.db.collection('roles').find().toArray();
    roleNames = new Map(roles.map(({ _id, code }) => [_id.toHexString(), `role ${code}`]));
    initial = await dump(server.db);
  });

  // Deletes the records that the test has added; otherwise each dump would be larger than the one before.
  afterEach(async () => {
    for (const [collection, documents] of await dump(server.db)) {
      const isNew = (id: string): boolean => !initial.get(collection)?.has(id);
      const added = [...documents].filter(([id]) => isNew(id)).map(([, { _id }]) => _id as never);
      if (added.length > 0)
        await server.db.collection(collection).deleteMany({ _id: { $in: added } });
    }
  });

  it('should be tested with the paths of every schema', () => {
    const paths = storedFields(server).map(({ path }) => path);
    const known = ['password', 'roles', 'keyHash', 'epoch', 'rev', 'live.slug', 'code', 'msg'];
    expect(paths).toEqual(expect.arrayContaining(known));
  });

  /** Makes records for one call that succeeds. */
  async function prepare(route: ApiRoute): Promise<Call & { caller: Caller | null }> {
    const target = await firstTarget(route, fixture);
    return { people: fixture, caller: await callerOf(fixture, route), target };
  }

  interface Sent {
    readonly status: number;
    readonly effects: readonly Effect[];
    /** Whether a foreign value is stored anywhere now. */
    readonly isStored: boolean;
  }

  async function send(
    route: ApiRoute,
    call: Awaited<ReturnType<typeof prepare>>,
    foreign: Record<string, unknown>,
    query = '',
  ): Promise<Sent> {
    const { caller, target } = call;
    const body = { ...validBody(route, call), ...foreign };
    const names = new Map([
      ...roleNames,
      [target, 'the target'],
      [fixture.otherAuthor._id, 'other author'],
    ]);
    const before = await dump(server.db);
    const client = caller?.client ?? server.client;
    const path = pathTo(route, target) + query;
    const { headers = {} } = route;
    const options = { headers, ...(Object.keys(body).length === 0 ? {} : { body }) };
    const { status } = await client.request(route.method, path, options);
    const after = await dump(server.db);
    const text = JSON.stringify([...after.values()].map((documents) => [...documents.values()]));
    const isStored = Object.values(FOREIGN_VALUES).some((value) => text.includes(String(value)));
    return { status, effects: effectsBetween(before, after, names), isStored };
  }

  describe.each(WRITE_ROUTES)('$route', (route) => {
    it('should declare the allowed fields and no other', () => {
      const path = route.path.replace(/:(\w+)/g, '{$1}');
      const operation = description.paths[path]?.[route.method.toLowerCase()];
      const [content] = Object.values(operation?.requestBody?.content ?? {});
      const { $ref = '' } = content?.schema ?? {};
      const schema = description.components.schemas[$ref.split('/').at(-1) ?? ''];
      const declared = Object.keys(schema?.properties ?? {}).sort();
      expect(operation).toBeDefined();
      const accepted = Object.keys(route.body ?? {}).filter((field) => field !== OTHER_NAME);
      expect(declared).toEqual(accepted.sort());
    });

    it('should have the effects that the table of routes lists, and no others if foreign fields are sent', async () => {
      const valid = await send(route, await prepare(route), {});
      expect(valid).toMatchObject({ status: 200, isStored: false });
      expect(valid.effects.map(({ change }) => change)).toEqual(route.effects);

      const fields = storedFields(server);
      const allowed = new Set(Object.keys(route.body ?? {}));
      const bodies = foreignFields(fields, allowed, fixture.otherAuthor._id);
      const names = fields.map(({ path }) => path);
      const pairs = [...names, ...names.map((name) => `$set[${name}]`)].map(
        (name): [string, string] => [name, FOREIGN_VALUES.text],
      );
      for (const [index, body] of bodies.entries()) {
        // All names together would exceed the largest head of a request.
        const share = pairs.filter((_, at) => at % bodies.length === index);
        const query = `?${new URLSearchParams(share).toString()}`;
        expect(await send(route, await prepare(route), body, query)).toEqual(valid);
      }
    });

    it('should refuse a body that reaches for a prototype, and do nothing', async () => {
      const call = await prepare(route);
      // The fields of a form are texts, so only their names can reach for a prototype.
      const isForm = route.endpoint.isUpload === true;
      const all = prototypeBodies(storedFields(server));
      const bodies = isForm ? all.filter((body) => Object.hasOwn(body, '__proto__')) : all;
      // All routes share one parser, which refuses these bodies, so `npm test` sends only one to each route.
      for (const body of isLong ? bodies : [cycled(bodies, WRITE_ROUTES.indexOf(route))]) {
        const sent = await send(route, call, body);
        expect(sent).toEqual({ status: 400, effects: [], isStored: false });
      }
    });
  });
});

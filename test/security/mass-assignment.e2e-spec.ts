import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { routesOf } from '../access/router-listing.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { until } from '../support/wait.js';
import { dump, effectsBetween, type Effect } from './effects.js';
import { accessTo, methodOf, routesToCover, WRITES } from './endpoints/all-endpoints.js';
import {
  callerOf,
  combinations,
  openStage,
  pathOf,
  resolve,
  type Call,
  type Endpoint,
  type Stage,
} from './endpoints/endpoint.js';
import { FOREIGN, foreignBodies, poisonedJson, storedFields } from './foreign-fields.js';

/** As far as bodies of requests are concerned. */
interface Description {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, { readonly properties?: object }> };
}

interface Operation {
  readonly requestBody?: { content: Record<string, { readonly schema: { $ref?: string } }> };
}

describe('Every route that writes', () => {
  let server: TestApp;
  let stage: Stage;
  let roleNames: ReadonlyMap<string, string>;
  let description: Description;

  beforeAll(async () => {
    server = await startApp();
    stage = await openStage(server);
    description = (await (await fetch(`${server.url}/openapi.json`)).json()) as Description;
    const apiKeys = server.db.collection('api_keys');
    // The first use of the key has been noted by now; the next note is a minute away.
    await until('the note', async () => (await apiKeys.findOne({}))?.['lastUsedAt'] !== undefined);
    const roles = await server.db.collection('roles').find().toArray();
    roleNames = new Map(roles.map(({ _id, code }) => [_id.toHexString(), `role ${code}`]));
  });

  afterAll(async () => {
    await server.close();
  });

  it('should be in the table, and every row a route', () => {
    const listed = WRITES.map(({ route }) => route).sort();
    expect(listed).toEqual(routesToCover(routesOf(server.app), 'writes').sort());
  });

  it('should be offered paths of every schema', () => {
    const paths = storedFields(server).map(({ path }) => path);
    const known = ['password', 'roles', 'keyHash', 'epoch', 'rev', 'live.slug', 'code', 'msg'];
    expect(paths).toEqual(expect.arrayContaining(known));
  });

  /** A call that succeeds, on records of its own. */
  async function prepare(endpoint: Endpoint): Promise<Call> {
    const target = (await endpoint.targets?.[0]?.(stage)) ?? '';
    return { stage, caller: await callerOf(stage, accessTo(endpoint), endpoint), target };
  }

  function honestBody(endpoint: Endpoint, call: Call): Record<string, unknown> {
    return resolve(combinations(endpoint.body)[0] ?? {}, call);
  }

  interface Sent {
    readonly status: number;
    readonly effects: readonly Effect[];
    /** Whether a foreign value is stored anywhere now. */
    readonly isStored: boolean;
  }

  async function send(
    endpoint: Endpoint,
    call: Call,
    foreign: Record<string, unknown>,
    query = '',
  ): Promise<Sent> {
    const { caller, target } = call;
    const body = { ...honestBody(endpoint, call), ...foreign };
    const names = new Map([...roleNames, [target, 'the target'], [stage.stranger._id, 'stranger']]);
    const before = await dump(server.db);
    const client = caller?.client ?? server.client;
    const path = pathOf(endpoint.route, target) + query;
    const options = Object.keys(body).length === 0 ? {} : { body };
    const { status } = await client.request(methodOf(endpoint), path, options);
    const after = await dump(server.db);
    const text = JSON.stringify([...after.values()].map((documents) => [...documents.values()]));
    const isStored = Object.values(FOREIGN).some((value) => text.includes(String(value)));
    return { status, effects: effectsBetween(before, after, names), isStored };
  }

  describe.each(WRITES)('$route', (endpoint) => {
    it('should declare the allowed fields and no other', () => {
      const path = endpoint.route.split(' ')[1]?.replace(/:(\w+)/, '{$1}') ?? '';
      const operation = description.paths[path]?.[methodOf(endpoint).toLowerCase()];
      const { $ref = '' } = operation?.requestBody?.content['application/json']?.schema ?? {};
      const schema = description.components.schemas[$ref.split('/').at(-1) ?? ''];
      const declared = Object.keys(schema?.properties ?? {}).sort();
      expect(operation).toBeDefined();
      expect(declared).toEqual(Object.keys(endpoint.body ?? {}).sort());
    });

    it('should change what it says, and nothing more with foreign fields', async () => {
      const honest = await send(endpoint, await prepare(endpoint), {});
      expect(honest).toMatchObject({ status: 200, isStored: false });
      expect(honest.effects.map(({ what }) => what)).toEqual(endpoint.effects);

      const allowed = new Set(Object.keys(endpoint.body ?? {}));
      const bodies = foreignBodies(storedFields(server), allowed, stage.stranger._id);
      for (const { what, fields } of bodies) {
        const sent = await send(endpoint, await prepare(endpoint), fields);
        expect({ what, ...sent }).toEqual({ what, ...honest });
      }
      const names = storedFields(server).map(({ path }) => path);
      const pairs = [...names, ...names.map((name) => `$set[${name}]`)].map(
        (name): [string, string] => [name, FOREIGN.text],
      );
      const query = `?${new URLSearchParams(pairs).toString()}`;
      const sent = await send(endpoint, await prepare(endpoint), {}, query);
      expect({ query, ...sent }).toEqual({ query, ...honest });
    });

    it('should refuse a body that reaches for a prototype, and do nothing', async () => {
      const call = await prepare(endpoint);
      for (const fields of poisonedJson(storedFields(server))) {
        const sent = await send(endpoint, call, fields);
        expect(sent).toEqual({ status: 400, effects: [], isStored: false });
      }
    });
  });
});

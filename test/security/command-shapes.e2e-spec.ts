import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { ROLE_CODES, type RoleCode } from '../../src/platform/http/access/role-code.js';
import type { RequestOptions } from '../support/client.js';
import { CommandRecorder } from '../support/checks/command-recorder.js';
import { shapeOf } from '../support/checks/command-shape.js';
import { isLong, runs, RUNS_DEADLINE_MS } from '../support/scale.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { DAY } from '../support/time/clock.js';
import { until } from '../support/time/wait.js';
import {
  callerOf,
  combinations,
  firstTarget,
  openFixture,
  pairs,
  pathTo,
  resolve,
  targetsOf,
  validBody,
  variations,
  type Fields,
} from '../routes/calls.js';
import type { Call, Fixture } from '../routes/row.js';
import { API_ROUTES, SERVED_ROUTES, type ApiRoute } from '../routes/routes.js';
import { randomHostileInput, fixedHostileInputs, type HostileInput } from './hostile-input.js';

/** The names in the built-in prototypes. A prototype pollution would add one. */
function inheritedNames(): unknown[] {
  return [Object, Array, Function, String, Number].map(({ prototype }) =>
    Reflect.ownKeys(prototype as object),
  );
}

/** `If-Match` is absent, has the number of a revision, or has a weak tag, which never matches. */
const IF_MATCH = { 'if-match': [undefined, '"1"', 'W/"1"'] };

/** `Idempotency-Key` is absent, or new. */
const IDEMPOTENCY_KEY = { 'idempotency-key': [undefined, () => randomUUID()] };

/** With these limits the server counts requests, which takes commands too, but refuses none. */
const GENEROUS_LIMITS = {
  RATE_LIMITS: 'on',
  LIMIT_SIGNUP: '9999999/1h',
  LIMIT_CONTACT: '9999999/1h',
  LIMIT_PASSWORD: '9999999/1h',
  GUESSES_PER_ACCOUNT: '9999999/1h',
  GUESSES_PER_NETWORK: '9999999/1h',
  GUESS_ALARM: '9999999/1h',
};

describe('The commands that requests cause', () => {
  let server: TestApp;
  let fixture: Fixture;
  let recorder: CommandRecorder;
  /** By route: the command shapes that valid requests cause, and all targets but the first. */
  const recorded = new Map<string, { shapes: ReadonlySet<string>; targets: readonly string[] }>();

  beforeAll(async () => {
    server = await startApp({ env: GENEROUS_LIMITS });
    fixture = await openFixture(server);
    // Any request may store the last use of its key, once a minute. A time in the future prevents this.
    const far = new Date(Date.now() + DAY);
    await server.db.collection('api_keys').updateMany({}, { $set: { lastUsedAt: far } });
    recorder = new CommandRecorder(server);
  });

  async function newTargets(route: ApiRoute): Promise<string[]> {
    const made: string[] = [];
    for (const makeTarget of targetsOf(route)) made.push(await makeTarget(fixture));
    return made;
  }

  /**
   * The shapes of the commands that were recorded for this route, except a ping: it holds nothing of a request, and is
   * sent only if the last one was long ago.
   */
  function shapesOf(route: string): Set<string> {
    const own = recorder.commands.filter(
      ({ endpoint, name }) => endpoint === route && name !== 'ping',
    );
    return new Set(own.map(shapeOf));
  }

  function queryOf(fields: Record<string, unknown>): string {
    const text = new URLSearchParams(fields as Record<string, string>).toString();
    return text === '' ? '' : `?${text}`;
  }

  interface Choice {
    readonly body: Fields;
    readonly query: Fields;
    readonly headers: Fields;
  }

  /**
   * Valid inputs, also without a body. `npm test` varies one field of the body and two parameters of the query at a
   * time, and headers with the body that hostile requests change, and without a body; `npm run test:long` takes
   * every combination.
   */
  function choicesOf({
    method,
    parameter,
    effects,
    body: bodies,
    query: queries,
  }: ApiRoute): Choice[] {
    const isRevised = method !== 'GET' && ['blog', 'revision'].includes(parameter);
    const creates = method === 'POST' && effects?.some((effect) => effect.startsWith('insert '));
    const [withoutHeader, ...withHeader] = combinations(
      creates ? IDEMPOTENCY_KEY : isRevised ? IF_MATCH : {},
    );
    const [first, ...others] = (isLong ? combinations : variations)(bodies);
    const choices = (body: Fields, headers: readonly Fields[]): Choice[] =>
      (isLong ? combinations : pairs)(queries).flatMap((query) =>
        headers.map((each) => ({ body, query, headers: each })),
      );
    const everyHeader = [withoutHeader, ...withHeader];
    return [
      ...choices(first, everyHeader),
      ...others.flatMap((body) => choices(body, isLong ? everyHeader : [withoutHeader])),
      ...choices({}, everyHeader),
    ];
  }

  async function sendValid(
    route: ApiRoute,
    choice: Choice,
    target: string,
    role?: RoleCode,
  ): Promise<number> {
    const caller = await callerOf(fixture, route, role);
    const call: Call = { people: fixture, caller, target };
    const body = resolve(choice.body, call);
    const path = pathTo(route, target) + queryOf(resolve(choice.query, call));
    const options: RequestOptions = {
      headers: { ...route.headers, ...resolve(choice.headers, call) } as Record<string, string>,
      ...(Object.keys(body).length > 0 ? { body } : {}),
    };
    const client = caller?.client ?? server.client;
    // With empty caches every read reaches the database.
    server.invalidateCaches();
    const { status } = await recorder.during(route.route, () =>
      client.request(route.method, path, options),
    );
    return status;
  }

  describe.each(SERVED_ROUTES)('$route', (route) => {
    it('should be recorded for valid requests', async () => {
      recorder.clear();
      const [first = '', ...others] = await newTargets(route);
      const [choice, ...choices] = choicesOf(route);
      if (!choice) throw new Error('the route has no choice of inputs');
      expect(await sendValid(route, choice, first)).toBe(200);
      for (const target of others) await sendValid(route, choice, target);
      for (const other of choices) {
        // A transition is possible only once for each target.
        const target = route.method === 'GET' ? first : await firstTarget(route, fixture);
        await sendValid(route, other, target);
      }
      // A text that cannot be stored as it is sent is compared with the stored one.
      for (const field of route.method === 'PUT' ? Object.keys(route.body ?? {}) : []) {
        const body = { ...choice.body, [field]: field === 'slug' ? '"Infinity"' : '"\u0000"' };
        await sendValid(route, { ...choice, body }, await firstTarget(route, fixture));
      }
      // Callers with another of the admitted roles may cause other commands.
      const { token, roles } = route.access;
      const otherRoles = roles.length > 0 ? roles.slice(1) : ROLE_CODES;
      for (const role of token === 'none' ? [] : otherRoles) {
        await sendValid(route, choice, await firstTarget(route, fixture), role);
      }
      const shapes = shapesOf(route.route);
      recorded.set(route.route, { shapes, targets: others });
      for (const effect of route.effects ?? []) {
        const [, collection] = effect.split(/[ :]/);
        expect([...shapes].join('\n')).toMatch(
          new RegExp(`^(insert|update|delete|findAndModify) ${collection} `, 'm'),
        );
      }
    });

    it(
      'should have no other shape, whatever is sent',
      async () => {
        recorder.clear();
        const before = inheritedNames();
        const { shapes: known = new Set(), targets = [] } = recorded.get(route.route) ?? {};
        const validTarget = await firstTarget(route, fixture);
        const names = {
          body: Object.keys(route.body ?? {}),
          query: Object.keys(route.query ?? {}),
          hasTarget: route.path.includes(':'),
          takesBody: route.method !== 'GET',
        };
        const examples = fixedHostileInputs(names, API_ROUTES.indexOf(route)).map(
          (input): [HostileInput, string, 'the right one'] => [input, validTarget, 'the right one'],
        );
        const randomRuns = route.hashesPassword
          ? runs({ short: 1, long: 500 })
          : runs({ short: 2, long: 5_000 });
        await fc.assert(
          fc.asyncProperty(
            randomHostileInput(names),
            fc.constantFrom(validTarget, ...targets),
            fc.constantFrom('the right one', 'the right one', 'nobody', ...ROLE_CODES),
            async (input, target, role) => {
              const status = await sendHostile(route, input, target, role);
              expect(status).toBeLessThan(500);
              const unknown = [...shapesOf(route.route)].filter((shape) => !known.has(shape));
              recorder.clear();
              expect(unknown).toEqual([]);
            },
          ),
          { examples, numRuns: examples.length + randomRuns },
        );
        expect(inheritedNames()).toEqual(before);
      },
      RUNS_DEADLINE_MS,
    );
  });

  // By now every route has been called with all choices of valid inputs and with hostile ones.
  it('should all have an explained query plan', async () => {
    const shapes = () => server.plans?.shapes() ?? [];
    await until('all plans', () => shapes().every(({ isExplained }) => isExplained));
    const queries = new Set(shapes().map(({ shape }) => shape.split(' ', 2).join(' ')));
    for (const collection of ['api_keys', 'blogs', 'messages', 'roles', 'sessions', 'users']) {
      expect(queries).toContain(`find ${collection}`);
    }
    for (const write of ['update', 'delete', 'findAndModify', 'aggregate']) {
      expect([...queries].some((query) => query.startsWith(`${write} `))).toBe(true);
    }
    expect(shapes().length).toBeGreaterThan(60);
  });

  async function sendHostile(
    route: ApiRoute,
    input: HostileInput,
    target: string,
    role: RoleCode | 'the right one' | 'nobody',
  ): Promise<number> {
    const other = role === 'the right one' || role === 'nobody' ? undefined : role;
    const caller = await callerOf(fixture, route, other);
    const body = validBody(route, { people: fixture, caller, target });
    const fields = new Map(
      Object.entries(body).map(([name, value]) => [name, JSON.stringify(value)]),
    );
    for (const [name, json] of input.fields) fields.set(name, json);
    const members = [...fields].map(([name, json]) => `${JSON.stringify(name)}:${json}`);
    const rawBody = input.body ?? (members.length > 0 ? `{${members.join(',')}}` : undefined);
    const client = (role === 'nobody' ? null : caller)?.client ?? server.client;
    // An accepted stream would stay open without this parameter.
    const isOpen =
      route.path.endsWith('/stream') && !input.query.some((text) => text.startsWith('seconds'));
    const parameters = isOpen ? [...input.query, 'seconds=1'] : input.query;
    const query = parameters.length > 0 ? `?${parameters.join('&')}` : '';
    const path = pathTo(route, input.target ?? target) + query;
    const takesBody = route.method !== 'GET' && rawBody !== undefined;
    const { status } = await recorder.during(route.route, () =>
      client.request(route.method, path, {
        headers: { ...route.headers, ...Object.fromEntries(input.headers) },
        ...(takesBody ? { rawBody } : {}),
      }),
    );
    return status;
  }
});

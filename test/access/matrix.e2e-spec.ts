import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ApiKeyGuard } from '../../src/apikey/api-key.guard.js';
import { RolesGuard } from '../../src/auth/guards/roles.guard.js';
import { TokenGuard } from '../../src/auth/guards/token.guard.js';
import type { AccessGuard } from '../../src/platform/http/access/access.guard.js';
import { Admission } from '../../src/platform/http/access/admission/admission.js';
import { API_ROUTES, PAGE_ROUTES, PREFLIGHT_ROUTE, withHead } from '../routes/routes.js';
import { askCases, shortened } from './ask.js';
import { casesOf, expectedOf, KEY_NAMES, TARGET_KINDS, TOKEN_NAMES, type Case } from './cases.js';
import { DatabaseImage } from './database-image.js';
import { openFixture, type Fixture } from './fixture.js';

const numbered = <Item>(items: readonly Item[]) => items.map((item, index) => ({ ...item, index }));

const ROUTES = numbered(withHead([...API_ROUTES, ...PAGE_ROUTES, PREFLIGHT_ROUTE]));
/** Routes that require a key. HEAD is left out, because the handler of GET serves it. */
const ROUTES_WITH_KEY = numbered(API_ROUTES.filter(({ access }) => access.apiKey));

let fixture: Fixture;
let before: DatabaseImage;

beforeAll(async () => {
  fixture = await openFixture();
  before = await DatabaseImage.take(fixture.db);
});

describe(`Every route with ${KEY_NAMES.length} keys, ${TOKEN_NAMES.length} tokens and every kind of record`, () => {
  it.each(ROUTES)(
    'should have an outcome for every target, and cases with every key, token and target: $route',
    (route) => {
      const targets = TARGET_KINDS[route.parameter];
      expect(Object.keys(route.outcomes).sort()).toEqual([...targets].sort());
      const cases = casesOf(route, route.index);
      const valuesOf = (axis: keyof Case) => new Set(cases.map((one) => one[axis]));
      expect(valuesOf('key')).toEqual(new Set(KEY_NAMES));
      expect(valuesOf('token')).toEqual(new Set(TOKEN_NAMES));
      expect(valuesOf('target')).toEqual(new Set(targets));
    },
  );

  it.each(ROUTES)(
    'should answer as its row says, and write only what the caller may write: $route',
    async (route) => {
      const deviations = await askCases(fixture, casesOf(route, route.index), before);
      expect(shortened(deviations)).toEqual([]);
    },
  );
});

function isRefused(testCase: Case): boolean {
  const expected = expectedOf(testCase);
  return expected !== null && 'code' in expected && [401, 403].includes(expected.status);
}

/** Nest and the admission both call `check` of the guards. Each must refuse by itself what the other lets pass. */
const ENFORCERS: readonly (readonly [name: string, letOtherPass: () => void])[] = [
  [
    'Nest if the admission lets every request pass',
    () => void jest.spyOn(fixture.app.get(Admission), 'admit').mockReturnValue(undefined),
  ],
  [
    'The admission if Nest lets every request pass',
    () => {
      for (const guard of [ApiKeyGuard, TokenGuard, RolesGuard]) {
        jest.spyOn(fixture.app.get<AccessGuard>(guard), 'canActivate').mockReturnValue(true);
      }
    },
  ],
];

describe.each(ENFORCERS)('%s', (_, letOtherPass) => {
  beforeAll(letOtherPass);

  afterAll(() => {
    jest.restoreAllMocks();
  });

  it.each(ROUTES_WITH_KEY)(
    'should refuse every caller whom the row of the route refuses: $route',
    async (route) => {
      const cases = casesOf(route, route.index).filter(isRefused);
      expect(shortened(await askCases(fixture, cases, before))).toEqual([]);
    },
  );
});

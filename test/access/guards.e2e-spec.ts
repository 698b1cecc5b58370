import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ApiKeyGuard } from '../../src/apikey/api-key.guard.js';
import { RolesGuard } from '../../src/auth/guards/roles.guard.js';
import { TokenGuard } from '../../src/auth/guards/token.guard.js';
import type { AccessGuard } from '../../src/platform/http/access/access.guard.js';
import { Admission } from '../../src/platform/http/access/admission/admission.js';
import { API_ROUTES, withHead, type Route } from '../routes/routes.js';
import { askCases, shortened } from './ask.js';
import { everyCaseOf, expectedOf, TARGET_KINDS, type Case } from './cases.js';
import { DatabaseImage } from './database-image.js';
import { openFixture, type Fixture } from './fixture.js';

/**
 * Every key with every token for one record of each route: the one that a rightful caller reaches. What other records answer is not the guards' to say.
 */
function refusedCasesOf(route: Route): Case[] {
  const target =
    TARGET_KINDS[route.parameter].find((name) => route.outcomes[name] === 200) ?? 'nothing';
  return everyCaseOf(route).filter((testCase) => testCase.target === target && isRefused(testCase));
}

function isRefused(testCase: Case): boolean {
  const expected = expectedOf(testCase);
  return expected !== null && 'code' in expected && [401, 403].includes(expected.status);
}

const ROUTES_WITH_KEY = withHead(API_ROUTES).filter(({ access }) => access.apiKey);

/** Both call `check` of the guards; each must refuse by itself what the other lets pass. */
const HALVES: readonly (readonly [name: string, letOtherPass: (fixture: Fixture) => void])[] = [
  [
    'Nest where the admission lets every request pass',
    ({ app }) => void jest.spyOn(app.get(Admission), 'admit').mockReturnValue(undefined),
  ],
  [
    'The admission where Nest lets every request pass',
    ({ app }) => {
      for (const guard of [ApiKeyGuard, TokenGuard, RolesGuard]) {
        jest.spyOn(app.get<AccessGuard>(guard), 'canActivate').mockReturnValue(true);
      }
    },
  ],
];

describe.each(HALVES)('%s', (_, letOtherPass) => {
  let fixture: Fixture;
  let before: DatabaseImage;

  beforeAll(async () => {
    fixture = await openFixture();
    letOtherPass(fixture);
    before = await DatabaseImage.take(fixture.db);
  });

  it.each(ROUTES_WITH_KEY)(
    'should refuse every caller whom the table refuses: $route',
    async (route) => {
      const cases = refusedCasesOf(route);
      const { count, deviations } = await askCases(fixture, cases, before);
      expect(shortened(deviations)).toEqual([]);
      expect(count).toBeGreaterThan(0);
    },
  );
});

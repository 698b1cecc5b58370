import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { AdmissionService } from '../../src/auth/admission/admission.service.js';
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

describe('The guards where nothing was decided before them', () => {
  let fixture: Fixture;
  let before: DatabaseImage;

  beforeAll(async () => {
    fixture = await openFixture();
    // Lets every request pass on to its guards, as if nothing had been checked before.
    jest.spyOn(fixture.app.get(AdmissionService), 'admit').mockReturnValue(undefined);
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

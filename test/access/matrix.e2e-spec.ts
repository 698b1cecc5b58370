import { beforeAll, describe, expect, it } from '@jest/globals';
import { API_ROUTES, PAGE_ROUTES, PREFLIGHT_ROUTE, withHead } from '../routes/routes.js';
import { askCases, shortened } from './ask.js';
import { caseCountOf, casesOf, KEY_NAMES, TARGET_KINDS, TOKEN_NAMES } from './cases.js';
import { DatabaseImage } from './database-image.js';
import { openFixture, type Fixture } from './fixture.js';

const ROUTES = withHead([...API_ROUTES, ...PAGE_ROUTES, PREFLIGHT_ROUTE]);
const CASES = ROUTES.reduce((sum, route) => sum + caseCountOf(route), 0);

describe(`Every route by ${KEY_NAMES.length} keys, ${TOKEN_NAMES.length} tokens and every record`, () => {
  let fixture: Fixture;
  let before: DatabaseImage;
  let asked = 0;

  beforeAll(async () => {
    fixture = await openFixture();
    before = await DatabaseImage.take(fixture.db);
  });

  describe.each(ROUTES)('$route', (route) => {
    it('should have an outcome for each target that it can have, and no other', () => {
      expect(Object.keys(route.outcomes).sort()).toEqual([...TARGET_KINDS[route.parameter]].sort());
    });

    it('should answer as its row says, and write only what the caller may', async () => {
      const { count, deviations } = await askCases(fixture, casesOf(route), before);
      asked += count;
      expect(shortened(deviations)).toEqual([]);
    });
  });

  it(`should have been asked all ${CASES} cases`, () => {
    expect(asked).toBe(CASES);
  });
});

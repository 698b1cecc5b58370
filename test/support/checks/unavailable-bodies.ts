import { expect } from '@jest/globals';
import { UnavailableError } from '../../../src/platform/http/errors/api.errors.js';

/** The response bodies of the rejected outcomes, each of which must be a 503. */
export function unavailableBodies(outcomes: readonly PromiseSettledResult<unknown>[]): unknown[] {
  return outcomes
    .filter((outcome) => outcome.status === 'rejected')
    .map(({ reason }) => {
      expect(reason).toBeInstanceOf(UnavailableError);
      return (reason as UnavailableError).getResponse();
    });
}

import { UserError } from '../../scripts/support/user-error.ts';
import { valuesOf } from '../support/program.ts';

export const GROWTH_USAGE = `npm run bench -- growth [options]
  Measures every operation of /openapi.json on a small and on a large database, with one client. Fails when one
  takes over 4 times and 10 ms more on the large database without a reason, or cannot be measured.
  --live N       live articles of the large database (200000; there are half as many drafts and submissions,
                 users and sessions, and a quarter as many tags and messages)
  --only TEXT    measures the operations whose names contain the text
  --samples N    requests of each operation (7)
  --short        30,000 live articles and 3 requests, for CI; leaves out the jobs

  Then it measures the jobs on all blogs of an author, each on a tenth as many blogs, while readers read.`;

export type GrowthOptions = ReturnType<typeof readGrowthOptions>;

/** @throws UserError for options that make no sense */
export function readGrowthOptions(args: string[]) {
  const { live, samples, short, only } = valuesOf(args, GROWTH_USAGE, {
    live: { type: 'string' },
    only: { type: 'string', default: '' },
    samples: { type: 'string' },
    short: { type: 'boolean', default: false },
  });
  const numberOf = (name: string, value: string) => {
    if (!/^[1-9]\d{0,6}$/.test(value)) throw new UserError(`--${name} is no number`);
    return Number(value);
  };
  return {
    live: numberOf('live', live ?? (short ? '30000' : '200000')),
    samples: numberOf('samples', samples ?? (short ? '3' : '7')),
    only,
    jobs: !short,
  };
}

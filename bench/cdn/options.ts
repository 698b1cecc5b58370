import { valuesOf } from '../support/program.ts';

export const USAGE = `npm run bench:cdn -- [--short] [--no-purge]

Runs the Varnish of examples/cdn in front of a Pressroom of its own, and checks what docs/cdn.md says:
how many reads Varnish answers, how soon what is unpublished is gone, how soon an API key is refused, and
whether readers are served while Pressroom or its database is down. Exits with 1 when a threshold is missed.

  --short     a minute, for CI
  --no-purge  starts no receiver of webhooks, so nothing is purged: the run must fail

It needs Linux, varnish and varnish-modules. As root it installs the last two by apt-get where they are
missing.`;

/** Duration and number of the measurements of each part. */
export interface Plan {
  readonly articles: number;
  /** Seconds in which readers read while articles are edited. */
  readonly hitRateSeconds: number;
  readonly readsPerSecond: number;
  /** Number of articles that are unpublished or deleted, in `series` concurrent series. */
  readonly takenDown: number;
  readonly series: number;
  /** Number of API keys that are switched off or deleted. */
  readonly keys: number;
  /** Seconds between the kill of Pressroom and its next start. */
  readonly deadSeconds: number;
  /** Seconds for which Pressroom is suspended, and then its database. */
  readonly hangSeconds: number;
}

const FULL: Plan = {
  articles: 240,
  hitRateSeconds: 60,
  readsPerSecond: 1_000,
  takenDown: 150,
  series: 3,
  keys: 20,
  deadSeconds: 60,
  hangSeconds: 20,
};

const SHORT: Plan = {
  articles: 120,
  hitRateSeconds: 5,
  readsPerSecond: 500,
  takenDown: 21,
  series: 3,
  keys: 6,
  deadSeconds: 5,
  hangSeconds: 4,
};

/** @throws UserError for options that make no sense */
export function readOptions(args: string[]) {
  const values = valuesOf(args, USAGE, {
    short: { type: 'boolean', default: false },
    'no-purge': { type: 'boolean', default: false },
  });
  return { plan: values.short ? SHORT : FULL, hasPurger: !values['no-purge'] };
}

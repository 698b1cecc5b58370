import type { Cpus } from '../support/machine/cpus.ts';
import { Pressroom } from '../support/servers/pressroom.ts';
import { fillOrigin, type Content } from './content.ts';
import type { Plan } from './options.ts';
import { startPurger } from './purger.ts';
import { startVarnish, type Edge } from './varnish.ts';

/** The settings with which docs/cdn.md starts Pressroom. */
const SETTINGS = {
  PUBLIC_CACHE: '10m',
  PUBLIC_CACHE_STALE: '1h',
  WEBHOOK_HTTP: 'on',
  WEBHOOK_PRIVATE: 'on',
  // An access token must be valid for the whole run.
  ACCESS_TOKEN_TTL: '12h',
};

/** The programs and the content that the measurements share. */
export interface Testbed {
  /** The Pressroom behind the CDN. */
  readonly origin: Pressroom;
  readonly edge: Edge;
  readonly content: Content;
  readonly plan: Plan;
  readonly cpus: Cpus;
  /** @returns the output of purge.mjs */
  readonly purgerLog: () => string;
}

/** Starts Pressroom, Varnish and purge.mjs, and publishes articles. Everything ends with the program. */
export async function setUp(
  { plan, hasPurger }: { plan: Plan; hasPurger: boolean },
  cpus: Cpus,
): Promise<Testbed> {
  const origin = await Pressroom.start({ env: SETTINGS, cpus });
  const edge = await startVarnish(origin.port, cpus);
  const content = await fillOrigin(origin.call, plan.articles);
  const purging = { admin: content.admin, edgeUrl: edge.url, hasPurger };
  const purgerLog = await startPurger(origin.call, purging);
  return { origin, edge, content, plan, cpus, purgerLog };
}

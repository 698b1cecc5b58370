import type { Cpus } from '../support/cpus.ts';
import { fillOrigin, type Content } from './content.ts';
import type { Plan } from './options.ts';
import { Origin } from './origin.ts';
import { startPurger } from './purger.ts';
import { startVarnish, type Edge } from './varnish.ts';

/** What each part of the program measures. */
export interface Setup {
  readonly origin: Origin;
  readonly edge: Edge;
  readonly content: Content;
  readonly plan: Plan;
  readonly cpus: Cpus;
  /** What purge.mjs has printed. */
  readonly purgerLog: () => string;
}

/** Starts Pressroom, Varnish and purge.mjs, and publishes articles. All of it ends with the program. */
export async function setUp(
  { plan, hasPurger }: { plan: Plan; hasPurger: boolean },
  cpus: Cpus,
): Promise<Setup> {
  const origin = await Origin.start(cpus);
  const edge = await startVarnish(origin.port, cpus);
  const content = await fillOrigin(origin.call, plan.articles);
  const { admin } = content;
  const purgerLog = await startPurger(origin.call, {
    ...{ admin, edgeUrl: edge.url, isStarted: hasPurger },
  });
  return { origin, edge, content, plan, cpus, purgerLog };
}

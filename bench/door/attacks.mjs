import * as bodies from './attacks/bodies.mjs';
import * as hang from './attacks/hang.mjs';
import * as neighbours from './attacks/neighbours.mjs';
import * as pipelining from './attacks/pipelining.mjs';
import * as stalledUploads from './attacks/stalled-uploads.mjs';

/** In this order: memory first, because the short form uses one server for all of them. */
export const ATTACKS = [pipelining, stalledUploads, bodies, neighbours, hang].flatMap(
  (module) => module.ATTACKS,
);

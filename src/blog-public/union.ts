export type Stage = Record<string, unknown>;

/**
 * Pipelines on blogs, one after the other, as one: each reads by an index of its own.
 *
 * @param pipelines at least one
 */
export function unionOf(pipelines: readonly Stage[][]): Stage[] {
  const [first = [], ...others] = pipelines;
  return [...first, ...others.map((pipeline) => ({ $unionWith: { coll: 'blogs', pipeline } }))];
}

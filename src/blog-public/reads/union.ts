export type Stage = Record<string, unknown>;

/**
 * Joins pipelines on blogs into one, whose result has theirs one after the other. Each may use another
 * index.
 *
 * @param pipelines at least one
 */
export function unionOf(pipelines: readonly Stage[][]): Stage[] {
  const [first = [], ...others] = pipelines;
  return [...first, ...others.map((pipeline) => ({ $unionWith: { coll: 'blogs', pipeline } }))];
}

import type { PipelineStage } from 'mongoose';

export type Stage = Record<string, unknown>;

/**
 * Joins pipelines on the collection `blogs` into one that returns their results one after the
 * other. Each pipeline may use a different index.
 *
 * @param pipelines at least one
 * @param last stages that run on all results
 */
export function unionOf(pipelines: readonly Stage[][], ...last: Stage[]): PipelineStage[] {
  const [first = [], ...others] = pipelines;
  const unions = others.map((pipeline) => ({ $unionWith: { coll: 'blogs', pipeline } }));
  // The stages are built from data, which the literal types of PipelineStage cannot express.
  return [...first, ...unions, ...last] as unknown as PipelineStage[];
}

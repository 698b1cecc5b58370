import { describe, expect, it } from '@jest/globals';
import { similarPipeline } from './similar.pipeline.js';

const terms = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${n}`);

/** Every `$limit` that stands on candidates: in the first stages and in each union. */
function candidateLimits(pipeline: readonly object[]): number[] {
  const stages = pipeline as readonly Record<string, unknown>[];
  const unions = stages.flatMap((stage) => {
    const union = stage['$unionWith'] as { pipeline: Record<string, unknown>[] } | undefined;
    return union ? union.pipeline : [];
  });
  const end = stages.findIndex((stage) => '$group' in stage);
  return [...stages.slice(0, end), ...unions].flatMap((stage) =>
    '$limit' in stage ? [Number(stage['$limit'])] : [],
  );
}

describe('similarPipeline', () => {
  it('should be null for a blog with neither tags nor words in its title', () => {
    const live = { tagKeys: [], titleWords: [], descriptionWords: ['word'] };
    expect(similarPipeline('id', live)).toBeNull();
  });

  it.each([
    [1, 0],
    [0, 1],
    [20, 20],
  ])('should look at 280 candidates at most for %d tags and %d words', (tags, words) => {
    const live = {
      tagKeys: terms('tag', tags),
      titleWords: terms('word', words),
      descriptionWords: terms('more', 40),
    };
    const limits = candidateLimits(similarPipeline('id', live) ?? []);
    expect(limits).toHaveLength(tags + words);
    expect(limits.reduce((sum, limit) => sum + limit, 0)).toBeLessThanOrEqual(280);
    // Each has the same share, and all of them see more than the six that are answered.
    expect(new Set(limits).size).toBe(1);
    expect(limits[0]).toBeGreaterThan(6);
  });
});

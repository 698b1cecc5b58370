import { describe, expect, it } from '@jest/globals';
import { keysPerTerm } from './similar-candidates.js';
import { candidatesPipeline, searchTermsOf } from './similar.pipeline.js';

const words = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${n}`);

/** Every `$limit` of the pipeline and of its unions. */
function limitsOf(pipeline: readonly object[]): number[] {
  const stages = pipeline as readonly Record<string, unknown>[];
  return stages.flatMap((stage) => {
    const union = stage['$unionWith'] as { pipeline: object[] } | undefined;
    if (union) return limitsOf(union.pipeline);
    return '$limit' in stage ? [Number(stage['$limit'])] : [];
  });
}

describe('searchTermsOf', () => {
  it('should be empty for a blog with neither tags nor words in its title', () => {
    expect(searchTermsOf({ tagKeys: [], titleWords: [], descriptionWords: ['word'] })).toEqual([]);
  });
});

describe('candidatesPipeline', () => {
  it.each([
    [1, 0],
    [0, 1],
    [20, 20],
  ])('should read 490 index keys at most for %d tags and %d title words', (tags, titleWords) => {
    const terms = searchTermsOf({
      tagKeys: words('tag', tags),
      titleWords: words('word', titleWords),
      descriptionWords: words('more', 40),
    });
    const limits = limitsOf(candidatesPipeline(terms, keysPerTerm(terms)));
    expect(limits).toHaveLength(tags + titleWords);
    expect(limits.reduce((sum, limit) => sum + limit, 0)).toBeLessThanOrEqual(490);
    // All terms have the same share, which is larger than the six blogs of the result.
    expect(new Set(limits).size).toBe(1);
    expect(limits[0]).toBeGreaterThan(6);
  });
});

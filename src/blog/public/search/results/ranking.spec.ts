import { Types } from 'mongoose';
import { describe, expect, it } from '@jest/globals';
import { frequencies, ranked, rarityWeights, type Match } from './ranking.js';
import type { Candidate } from '../term-queries.js';

const NOW = Date.UTC(2026, 0, 1);
const DAY = 24 * 3_600_000;

const candidate = (age: number): Candidate => ({
  _id: new Types.ObjectId(),
  live: { at: new Date(NOW - age) },
});
const match = (places: Match['places'], age = DAY): Match => ({
  candidate: candidate(age),
  places,
});

describe('frequencies', () => {
  it('should count a rare term, and estimate common ones by how far back their samples go', () => {
    const sampleOf = (length: number, age: number, isComplete: boolean) => ({
      newest: Array.from({ length }, () => candidate(age)),
      isComplete,
    });
    expect(
      frequencies(
        [sampleOf(3, DAY, true), sampleOf(100, 100 * DAY, false), sampleOf(100, DAY, false)],
        NOW,
      ),
    ).toEqual([3, 100, 10_000]);
    expect(frequencies([sampleOf(0, 0, true)], NOW)).toEqual([0]);
  });
});

describe('rarityWeights', () => {
  it('should be higher for a rarer word, and finite for one that no article has', () => {
    const [absent = 0, rare = 0, common = 0] = rarityWeights([0, 2, 1_000]);
    expect(absent).toBeGreaterThan(rare);
    expect(rare).toBeGreaterThan(common);
    expect(Number.isFinite(absent)).toBe(true);
    expect(common).toBeGreaterThan(0);
  });
});

describe('ranked', () => {
  const order = (matches: readonly Match[], weights: readonly number[]): number[] =>
    ranked(matches, weights, NOW).map((each) => matches.indexOf(each));

  it('should put the more important place first, then the newer article', () => {
    expect(order([match([3]), match([2]), match([1]), match([0])], [1])).toEqual([3, 2, 1, 0]);
    expect(order([match([3], 2 * DAY), match([3])], [1])).toEqual([1, 0]);
    expect(order([match([3], 900 * DAY), match([2], 900 * DAY), match([3])], [1])).toEqual([
      1, 2, 0,
    ]);
  });

  it('should prefer the rarer word in the same place, and more words to fewer', () => {
    expect(order([match([0, 3]), match([3, 0])], [1, 5])).toEqual([1, 0]);
    expect(order([match([3, undefined]), match([3, 3])], [1, 1])).toEqual([1, 0]);
  });

  it('should put the word itself before its other forms, wherever and however old they are', () => {
    const matches = [match([4]), match([5]), match([3], 2_000 * DAY), match([0, 4]), match([0, 0])];
    expect(order(matches, [1, 1])).toEqual([4, 3, 2, 0, 1]);
    expect(order([match([4, 0], 0), match([0, 0], 2_000 * DAY)], [1, 1_000])).toEqual([1, 0]);
    const apart = { ...match([0, 0], 0), isApart: true };
    expect(order([match([4, 4]), apart, match([0, 0], 2_000 * DAY)], [1, 1])).toEqual([2, 1, 0]);
  });

  it('should order articles of the same time by their ids', () => {
    const [older, newer] = [match([3]), match([3])];
    expect(ranked([older, newer], [1], NOW)).toEqual([newer, older]);
    expect(ranked([newer, older], [1], NOW)).toEqual([newer, older]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { chooseCandidates, keysPerTerm, type CandidateList } from './similar-candidates.js';

/** An id of a blog that was published at this Unix time, in seconds. */
const id = (second: number): Types.ObjectId => Types.ObjectId.createFromTime(second);
/** Ids of blogs that were published in consecutive seconds from this time on, newest first. */
const newestFirst = (from: number, count: number): Types.ObjectId[] =>
  Array.from({ length: count }, (_, n) => id(from + count - 1 - n));
/** The candidates of a term. */
const list = (ids: readonly Types.ObjectId[], term: number): CandidateList => {
  return { _id: term, ids, times: ids.map((one) => one.getTimestamp()) };
};
const SELF = id(1_000_000);

describe('chooseCandidates', () => {
  const terms = [{ weight: 3 }, { weight: 3 }, { weight: 1 }];
  const perTerm = keysPerTerm(terms);
  const choose = (...lists: Types.ObjectId[][]): string[] => {
    return chooseCandidates(terms, lists.map(list), SELF).map(String);
  };

  it('should choose all of 64 candidates, each once, without the blog itself', () => {
    const chosen = choose([SELF, ...newestFirst(1, 40)], [SELF, ...newestFirst(11, 54)], [SELF]);
    expect(new Set(chosen)).toEqual(new Set(newestFirst(1, 64).map(String)));
    expect(chosen).toHaveLength(64);
  });

  it('should choose 64 if there are more candidates, the newest of each term, in equal shares', () => {
    const lists = [
      newestFirst(3_000, perTerm),
      newestFirst(2_000, perTerm),
      newestFirst(100, perTerm),
    ];
    const chosen = choose(...lists);
    expect(chosen).toHaveLength(64);
    expect(new Set(chosen).size).toBe(64);
    for (const ids of lists) {
      const own = ids.map(String).filter((hex) => chosen.includes(hex));
      expect(own).toEqual(ids.slice(0, own.length).map(String));
      expect(own.length).toBeGreaterThanOrEqual(21);
    }
  });

  it('should not depend on the order of the lists', () => {
    const ids = [
      newestFirst(3_000, perTerm),
      newestFirst(2_000, perTerm),
      newestFirst(100, perTerm),
    ];
    const lists = ids.map(list);
    const [first, second, third] = lists as [CandidateList, CandidateList, CandidateList];
    const inOrder = chooseCandidates(terms, lists, SELF).map(String);
    for (const otherOrder of [
      [third, second, first],
      [second, third, first],
      [third, first, second],
    ]) {
      expect(chooseCandidates(terms, otherOrder, SELF).map(String)).toEqual(inOrder);
    }
  });

  it('should give the turns of a term without further candidates to the other terms', () => {
    const rare = id(5);
    const chosen = choose(newestFirst(3_000, perTerm), [rare]);
    expect(chosen).toHaveLength(64);
    expect(chosen).toContain(String(rare));
  });

  it('should prefer blogs in several lists to newer blogs', () => {
    const sharedIds = newestFirst(1, 3);
    const chosen = choose(
      [...newestFirst(3_000, perTerm - 3), ...sharedIds],
      [...newestFirst(2_000, perTerm - 3), ...sharedIds],
    );
    for (const one of sharedIds) expect(chosen).toContain(String(one));
  });

  it('should prefer blogs that may have a term to blogs that lack it', () => {
    // The second list goes back to 3,000: newer blogs not in it lack the term, older ones may have it.
    const lacking = newestFirst(4_000, perTerm - 10);
    const unknown = newestFirst(2_000, 10);
    const chosen = choose([...lacking, ...unknown], newestFirst(3_000, perTerm));
    for (const one of unknown) expect(chosen).toContain(String(one));
  });

  it('should take the time of publication from the list, not from the id', () => {
    // The time in `laterIds` is a million seconds after the publication of their blogs.
    const old = newestFirst(2_000, 10);
    const laterIds = old.map((one) => id(one.getTimestamp().getTime() / 1_000 + 1_000_000));
    const lacking = newestFirst(4_000, perTerm - 10);
    const first = list([...lacking, ...old], 0);
    const lists = [
      { ...first, ids: [...lacking, ...laterIds] },
      list(newestFirst(3_000, perTerm), 1),
    ];
    const chosen = chooseCandidates(terms, lists, SELF).map(String);
    for (const one of laterIds) expect(chosen).toContain(String(one));
  });

  it('should be empty if there are no lists, or if they hold only the blog itself', () => {
    expect(choose([SELF], [SELF], [SELF])).toEqual([]);
    expect(choose()).toEqual([]);
  });
});

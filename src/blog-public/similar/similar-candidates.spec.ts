import { describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { chooseCandidates, keysPerTerm, type CandidateList } from './similar-candidates.js';

/** Created in this second, counted from 1970. */
const id = (second: number): Types.ObjectId => Types.ObjectId.createFromTime(second);
/** One a second, from this one on. */
const newestFirst = (from: number, count: number): Types.ObjectId[] =>
  Array.from({ length: count }, (_, n) => id(from + count - 1 - n));
const SELF = id(1_000_000);

describe('chooseCandidates', () => {
  const terms = [{ weight: 3 }, { weight: 3 }, { weight: 1 }];
  const share = keysPerTerm(terms);
  const choose = (...lists: Types.ObjectId[][]): string[] => {
    const found: CandidateList[] = lists.map((ids, term) => ({ _id: term, ids }));
    return chooseCandidates(terms, found, SELF).map(String);
  };

  it('should take all of 64, each once, and never the blog itself', () => {
    const chosen = choose([SELF, ...newestFirst(1, 40)], [SELF, ...newestFirst(11, 54)], [SELF]);
    expect(new Set(chosen)).toEqual(new Set(newestFirst(1, 64).map(String)));
    expect(chosen).toHaveLength(64);
  });

  it('should take 64 of more, and of each term as many, the newest of them', () => {
    const lists = [newestFirst(3_000, share), newestFirst(2_000, share), newestFirst(100, share)];
    const chosen = choose(...lists);
    expect(chosen).toHaveLength(64);
    expect(new Set(chosen).size).toBe(64);
    for (const list of lists) {
      const own = list.map(String).filter((hex) => chosen.includes(hex));
      expect(own).toEqual(list.slice(0, own.length).map(String));
      expect(own.length).toBeGreaterThanOrEqual(21);
    }
  });

  it('should choose the same in whatever order the lists come', () => {
    const ids = [newestFirst(3_000, share), newestFirst(2_000, share), newestFirst(100, share)];
    const lists = ids.map((list, term): CandidateList => ({ _id: term, ids: list }));
    const [first, second, third] = lists as [CandidateList, CandidateList, CandidateList];
    const inOrder = chooseCandidates(terms, lists, SELF).map(String);
    for (const others of [
      [third, second, first],
      [second, third, first],
      [third, first, second],
    ]) {
      expect(chooseCandidates(terms, others, SELF).map(String)).toEqual(inOrder);
    }
  });

  it('should leave the turns of a rare term to the others', () => {
    const rare = id(5);
    const chosen = choose(newestFirst(3_000, share), [rare]);
    expect(chosen).toHaveLength(64);
    expect(chosen).toContain(String(rare));
  });

  it('should prefer what is in several lists to what is newer', () => {
    const both = newestFirst(1, 3);
    const chosen = choose(
      [...newestFirst(3_000, share - 3), ...both],
      [...newestFirst(2_000, share - 3), ...both],
    );
    for (const one of both) expect(chosen).toContain(String(one));
  });

  it('should prefer what may share a term to what is known not to', () => {
    // The list of the second term goes back to 3,000: the others lack it, or are older than it tells.
    const lacking = newestFirst(4_000, share - 10);
    const unknown = newestFirst(2_000, 10);
    const chosen = choose([...lacking, ...unknown], newestFirst(3_000, share));
    for (const one of unknown) expect(chosen).toContain(String(one));
  });

  it('should be empty when there are only lists of the blog itself', () => {
    expect(choose([SELF], [SELF], [SELF])).toEqual([]);
    expect(choose()).toEqual([]);
  });
});

import { mongo } from 'mongoose';
import { describe, expect, it } from '@jest/globals';
import {
  answersNeeded,
  knowsAllCommitted,
  newestMember,
  type MemberAnswer,
  type Position,
  type ReplicaSetConfig,
} from './newest-member.js';

type Kind = 'voter' | 'arbiter' | 'no vote';

function configOf(kinds: readonly Kind[], version = 1): ReplicaSetConfig {
  const members = kinds.map((kind, index) => ({
    host: `m${index}`,
    votes: kind === 'no vote' ? 0 : 1,
    arbiterOnly: kind === 'arbiter',
  }));
  return { version, term: 1, members };
}

const at = (term: number, seconds: number): Position => ({
  term,
  clusterTime: undefined,
  time: new mongo.Timestamp({ t: seconds, i: 0 }),
});

const THREE_VOTERS: readonly Kind[] = ['voter', 'voter', 'voter'];

function answer(host: string, position: Position, config = configOf(THREE_VOTERS)): MemberAnswer {
  return { host, isPrimary: false, isReadable: true, position, committed: position, config };
}

describe('answersNeeded', () => {
  it.each<[number, readonly Kind[]]>([
    [1, ['voter']],
    [1, ['voter', 'voter']],
    [2, THREE_VOTERS],
    [2, ['voter', 'voter', 'voter', 'voter']],
    [3, ['voter', 'voter', 'voter', 'voter', 'voter']],
    // Every acknowledged write is on both members that hold data.
    [1, ['voter', 'voter', 'arbiter']],
    // Members without a vote may lack an acknowledged write.
    [1, ['voter', 'no vote', 'no vote']],
    [2, [...THREE_VOTERS, 'no vote']],
  ])('should be %s with %j', (needed, kinds) => {
    expect(answersNeeded(configOf(kinds))).toBe(needed);
  });
});

describe('newestMember', () => {
  it('should be null until every majority has a member that has answered', () => {
    expect(newestMember([])).toBeNull();
    expect(newestMember([answer('m0', at(1, 9))])).toBeNull();
    expect(newestMember([answer('m0', at(1, 9)), answer('m1', at(1, 8))])?.host).toBe('m0');
  });

  it('should prefer the later term to the later time', () => {
    expect(newestMember([answer('m0', at(1, 9)), answer('m1', at(2, 8))])?.host).toBe('m1');
  });

  describe('with members that refuse reads', () => {
    const unreadable = (host: string, position: Position): MemberAnswer => ({
      ...answer(host, position),
      isReadable: false,
    });

    it('should count them where too few others have answered', () => {
      const primary = answer('m0', at(2, 8));
      expect(newestMember([primary, unreadable('m1', at(1, 9))])?.host).toBe('m0');
      expect(newestMember([unreadable('m1', at(1, 9)), primary])?.host).toBe('m0');
    });

    it('should not count them where enough others have answered', () => {
      const others = [answer('m0', at(1, 7)), answer('m1', at(1, 8))];
      expect(newestMember([unreadable('m2', at(1, 9)), ...others])?.host).toBe('m1');
    });

    it('should be null if one of them is the newest', () => {
      expect(newestMember([answer('m0', at(1, 8)), unreadable('m1', at(1, 9))])).toBeNull();
    });
  });

  it('should not count a member without a vote, and should use the newest configuration', () => {
    const fourMembers = configOf([...THREE_VOTERS, 'no vote']);
    expect(
      newestMember([answer('m0', at(1, 1), fourMembers), answer('m3', at(1, 9), fourMembers)]),
    ).toBeNull();
    // The older configuration has two members, of which one must answer.
    const olderConfig = configOf(['voter', 'voter']);
    const newerConfig = configOf([...THREE_VOTERS, 'voter', 'voter'], 2);
    expect(newestMember([answer('m0', at(1, 1), olderConfig)])?.host).toBe('m0');
    expect(
      newestMember([answer('m0', at(1, 1), olderConfig), answer('m1', at(1, 1), newerConfig)]),
    ).toBeNull();
  });
});

describe('knowsAllCommitted', () => {
  const newest = answer('m1', at(2, 9));

  it('should be true for a primary of the newest term that has committed something in it', () => {
    const primary = { ...answer('m0', at(2, 8)), committed: at(2, 7) };
    expect(knowsAllCommitted(primary, newest)).toBe(true);
  });

  it.each([
    ['has committed nothing in its term yet', at(2, 8), at(1, 7)],
    ['is of an older term', at(1, 12), at(1, 12)],
  ])('should be false for a primary that %s', (_, position, committed) => {
    expect(knowsAllCommitted({ ...answer('m0', position), committed }, newest)).toBe(false);
  });
});

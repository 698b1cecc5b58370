import { describe, expect, it } from '@jest/globals';
import { FairQueue } from './fair-queue.js';

/** @param items the first letter of each is its owner */
function queueOf(...items: string[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const item of items) queue.add(item.charAt(0), item);
  return queue;
}

function drained(queue: FairQueue<string>): string[] {
  const items: string[] = [];
  for (let item = queue.next(); item !== undefined; item = queue.next()) items.push(item);
  return items;
}

describe('FairQueue', () => {
  it('should serve the owners in turn, and each in the order of arrival', () => {
    const queue = queueOf('a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2');
    expect(queue.length).toBe(7);
    expect(drained(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'a4']);
    expect(queue.length).toBe(0);
  });

  it('should pass over owners that are not served, and keep their turns', () => {
    const queue = queueOf('a1', 'b1', 'a2', 'c1');
    expect(queue.next((owner) => owner !== 'a')).toBe('b1');
    expect([queue.has('a'), queue.has('b')]).toEqual([true, false]);
    expect(queue.next(() => false)).toBeUndefined();
    expect(drained(queue)).toEqual(['a1', 'c1', 'a2']);
  });

  it.each<[items: string[], owner: string, expected: number]>([
    [['a1', 'a2', 'a3'], 'a', 3],
    [['a1', 'a2', 'a3'], 'b', 1],
    [['a1', 'a2', 'a3', 'b1', 'c1', 'c2'], 'b', 5],
    [[], 'a', 0],
  ])(
    'should count how many items of %j may come before a new item of %s',
    (items, owner, expected) => {
      const queue = queueOf(...items);
      expect(queue.countBefore(owner)).toBe(expected);
      const added = `${owner}9`;
      queue.add(owner, added);
      expect(drained(queue).indexOf(added)).toBeLessThanOrEqual(expected);
    },
  );

  it('should remove an item, and ignore one that it does not have', () => {
    const queue = queueOf('a1', 'b1', 'a2');
    queue.remove('a', 'a1');
    queue.remove('b', 'b1');
    queue.remove('b', 'b1');
    queue.remove('a', 'a9');
    expect([queue.length, drained(queue)]).toEqual([1, ['a2']]);
  });

  it.each<[items: string[], newcomer: string, dropped: string | undefined]>([
    [['a1', 'a2', 'b1'], 'c', 'a2'],
    [['a1', 'b1', 'b2', 'b3'], 'a', 'b3'],
    // The newcomer would have as many items as the owner with the most items.
    [['a1', 'a2', 'b1'], 'b', undefined],
    [['a1', 'b1'], 'c', undefined],
    [['a1', 'a2', 'a3'], 'a', undefined],
    [[], 'a', undefined],
  ])('should make room in %j for %s, if fair', (items, newcomer, dropped) => {
    const queue = queueOf(...items);
    expect(queue.dropForFairness(newcomer)).toBe(dropped);
    expect(queue.length).toBe(items.length - (dropped === undefined ? 0 : 1));
  });
});

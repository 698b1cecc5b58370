import { beforeEach, describe, expect, it } from 'vitest';
import { LoadLimit } from './load-limit.js';
import { REQUEST_CLASSES, type CountedClass, type RequestClass } from './request-class.js';

const CLASSES = Object.keys(REQUEST_CLASSES) as RequestClass[];

describe('LoadLimit', () => {
  let limit: LoadLimit;

  beforeEach(() => {
    limit = new LoadLimit();
  });

  function begin(requestClass: CountedClass, count: number): void {
    for (let at = 0; at < count; at += 1) limit.begin(requestClass);
  }
  function took(requestClass: CountedClass, milliseconds: number, times = 100): void {
    for (let at = 0; at < times; at += 1) limit.took(requestClass, milliseconds);
  }
  const refused = (): RequestClass[] => CLASSES.filter((each) => limit.refuses(each));

  it.each<[reads: number, writes: number, refused: RequestClass[]]>([
    [23, 31, []],
    [24, 0, ['costly-read']],
    [32, 31, ['costly-read', 'read']],
    [0, 32, ['write', 'sign-in']],
    [32, 32, CLASSES],
  ])('should refuse beside %i slow reads and %i slow writes: %j', (reads, writes, expected) => {
    took('read', 200);
    took('write', 200);
    begin('read', reads);
    begin('write', writes);
    expect(refused()).toEqual(expected);
  });

  it.each<[milliseconds: number, most: number]>([
    [100.1, 32],
    [50.1, 2 * 32],
    [25.01, 4 * 32],
    [5, 6 * 32],
  ])('should let as many more begin as they are faster: of %i ms, %i', (milliseconds, most) => {
    took('read', milliseconds, 1_000);
    begin('read', most - 1);
    expect(refused()).toEqual(['costly-read']);
    begin('read', 1);
    expect(refused()).toEqual(['costly-read', 'read']);
  });

  it('should look at the reads for a read, and at the writes for a write', () => {
    took('write', 1_000);
    begin('read', 32);
    begin('write', 31);
    expect(refused()).toEqual([]);
  });

  it('should not take one slow request for overload, and forget slow ones with the next that are fast', () => {
    begin('read', 32);
    took('read', 10);
    took('read', 1_000, 1);
    expect(refused()).toEqual([]);
    took('read', 1_000, 20);
    expect(refused()).toEqual(['costly-read', 'read']);
    took('read', 10, 60);
    expect(refused()).toEqual([]);
  });

  it('should accept again once requests have ended, and count what it has refused', () => {
    took('read', 200);
    begin('read', 32);
    refused();
    limit.end('read');
    expect(refused()).toEqual(['costly-read']);
    expect(limit.refusals).toEqual({ 'costly-read': 2, read: 1, write: 0, 'sign-in': 0 });
  });
});

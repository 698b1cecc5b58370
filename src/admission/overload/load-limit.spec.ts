import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LoadLimit } from './load-limit.js';
import { REQUEST_CLASSES, type CountedClass, type RequestClass } from './request-class.js';

const CLASSES = Object.keys(REQUEST_CLASSES) as RequestClass[];

describe('LoadLimit', () => {
  let limit: LoadLimit;

  beforeEach(() => {
    limit = new LoadLimit();
    setBusy(true);
  });

  function setBusy(isBusy: boolean): void {
    const active = { idle: 0, active: 0, utilization: isBusy ? 0.95 : 0.85 };
    vi.spyOn(performance, 'eventLoopUtilization').mockReturnValue(active);
    limit.measureUtilization();
    vi.restoreAllMocks();
  }
  function begin(requestClass: CountedClass, count: number): void {
    for (let at = 0; at < count; at += 1) limit.begin(requestClass);
  }
  function took(requestClass: CountedClass, milliseconds: number, times = 100): void {
    for (let at = 0; at < times; at += 1) limit.took(requestClass, milliseconds);
  }
  const refused = (): RequestClass[] => CLASSES.filter((each) => limit.refuses(each));

  it.each<[reads: number, writes: number, refused: RequestClass[]]>([
    [9, 9, []],
    [10, 0, ['costly-read']],
    [14, 9, ['costly-read', 'read']],
    [0, 10, ['write', 'sign-in']],
    [14, 10, CLASSES],
  ])('should refuse beside %i slow reads and %i slow writes: %j', (reads, writes, expected) => {
    took('read', 200);
    took('write', 200);
    begin('read', reads);
    begin('write', writes);
    expect(refused()).toEqual(expected);
  });

  it.each<[milliseconds: number, most: number]>([
    [100.1, 14],
    [50.1, 2 * 14],
    [25.01, 4 * 14],
    [5, 8 * 14],
  ])('should let as many more begin as they are faster: of %i ms, %i', (milliseconds, most) => {
    took('read', milliseconds, 1_000);
    begin('read', most - 1);
    expect(refused()).toEqual(['costly-read']);
    begin('read', 1);
    expect(refused()).toEqual(['costly-read', 'read']);
  });

  it('should let as many begin as while they are fast, while the event loop has time left', () => {
    setBusy(false);
    took('read', 1_000);
    begin('read', 8 * 14 - 1);
    expect(refused()).toEqual(['costly-read']);
    setBusy(true);
    expect(refused()).toEqual(['costly-read', 'read']);
  });

  it('should look at the reads for a read, and at the writes for a write', () => {
    took('write', 1_000);
    begin('read', 14);
    begin('write', 9);
    expect(refused()).toEqual([]);
  });

  it('should not take one slow request for overload, and forget slow ones with the next that are fast', () => {
    begin('read', 14);
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
    begin('read', 14);
    refused();
    limit.end('read');
    expect(refused()).toEqual(['costly-read']);
    expect(limit.refusals).toEqual({ 'costly-read': 2, read: 1, write: 0, 'sign-in': 0 });
  });
});

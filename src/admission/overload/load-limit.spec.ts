import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LoadLimit } from './load-limit.js';
import { REQUEST_CLASSES, type CountedClass, type RequestClass } from './request-class.js';

const CLASSES = Object.keys(REQUEST_CLASSES) as RequestClass[];
const MOST = 256;
const FEWEST = 24;

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
  function took(requestClass: CountedClass, milliseconds: number, times: number): void {
    for (let at = 0; at < times; at += 1) limit.took(requestClass, milliseconds);
  }
  const refused = (): RequestClass[] => CLASSES.filter((each) => limit.refuses(each));

  it.each<[reads: number, writes: number, refused: RequestClass[]]>([
    [16, 23, []],
    [17, 0, ['costly-read']],
    [24, 23, ['costly-read', 'read']],
    [0, 24, ['write', 'sign-in']],
    [24, 24, CLASSES],
  ])('should refuse beside %i slow reads and %i slow writes: %j', (reads, writes, expected) => {
    took('read', 200, 300);
    took('write', 200, 300);
    begin('read', reads);
    begin('write', writes);
    expect(refused()).toEqual(expected);
  });

  it('should let many begin while they are fast', () => {
    took('read', 70, 1_000);
    begin('read', MOST - 1);
    expect(refused()).toEqual(['costly-read']);
    begin('read', 1);
    expect(refused()).toEqual(['costly-read', 'read']);
  });

  it('should let as many begin while the event loop has time left, and not lower the limit', () => {
    setBusy(false);
    took('read', 1_000, 1_000);
    begin('read', MOST - 1);
    expect(refused()).toEqual([]);
    setBusy(true);
    expect(refused()).toEqual(['costly-read']);
  });

  it('should look at the reads for a read, and at the writes for a write', () => {
    took('write', 1_000, 300);
    begin('read', FEWEST);
    begin('write', FEWEST - 1);
    expect(refused()).toEqual([]);
  });

  it('should not take one slow request for overload', () => {
    took('read', 10, 100);
    took('read', 1_000, 1);
    begin('read', MOST - 1);
    expect(refused()).toEqual(['costly-read']);
  });

  it('should raise the limit again, one for ten requests that are fast', () => {
    took('read', 200, 300);
    begin('read', FEWEST);
    expect(refused()).toEqual(['costly-read', 'read']);
    took('read', 10, 40);
    expect(refused()).toEqual(['costly-read']);
    took('read', 10, 140);
    expect(refused()).toEqual([]);
  });

  it('should accept again once requests have ended, and count what it has refused', () => {
    took('read', 200, 300);
    begin('read', FEWEST);
    refused();
    limit.end('read');
    expect(refused()).toEqual(['costly-read']);
    expect(limit.refusals).toEqual({ 'costly-read': 2, read: 1, write: 0, 'sign-in': 0 });
  });
});

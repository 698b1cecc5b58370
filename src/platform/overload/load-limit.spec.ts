import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LoadLimit } from './load-limit.js';
import { REQUEST_CLASSES, type RequestClass } from './request-class.js';

const CLASSES = Object.keys(REQUEST_CLASSES) as RequestClass[];
const SOFT_MAX = 256;
const CLIENT_PREFIX = '192.0.2.0/24';
const OTHER_CLIENT_PREFIX = '198.51.100.0/24';

describe('LoadLimit', () => {
  let limit: LoadLimit;

  beforeEach(() => {
    limit = new LoadLimit();
  });

  function setWait(milliseconds: number, isStanding: boolean): void {
    jest
      .spyOn(limit.starts, 'waitMs')
      .mockImplementation((prefix) => (prefix === CLIENT_PREFIX ? milliseconds : 0));
    jest.spyOn(limit.starts, 'isStanding', 'get').mockReturnValue(isStanding);
  }
  function begin(requestClass: RequestClass, count: number, clientPrefix = CLIENT_PREFIX): void {
    for (let at = 0; at < count; at += 1) limit.begin({ requestClass, clientPrefix });
  }
  const refuses = (requestClass: RequestClass, clientPrefix: string): boolean =>
    limit.refuses({ requestClass, clientPrefix });
  const refusedClasses = (): RequestClass[] =>
    CLASSES.filter((each) => refuses(each, CLIENT_PREFIX));

  it.each<[waitMs: number, refused: RequestClass[]]>([
    [49, []],
    [50, ['costly-read']],
    [75, ['costly-read', 'write', 'sign-in']],
    [150, CLASSES],
  ])('should refuse at a wait of %i ms, with many in flight: %j', (waitMs, expected) => {
    for (const each of CLASSES) begin(each, 24);
    setWait(waitMs, true);
    expect(refusedClasses()).toEqual(expected);
  });

  it.each<[count: number, refused: RequestClass[]]>([
    [0, ['costly-read']],
    [1, ['costly-read']],
    [2, ['costly-read', 'sign-in']],
    [23, ['costly-read', 'sign-in']],
    [24, CLASSES],
  ])('should refuse with %i of each class in flight: %j', (count, expected) => {
    for (const each of CLASSES) begin(each, count);
    setWait(10_000, true);
    expect(refusedClasses()).toEqual(expected);
  });

  it('should refuse no request of another client prefix, which would not wait', () => {
    for (const each of CLASSES) begin(each, 100);
    setWait(10_000, true);
    expect(CLASSES.filter((each) => refuses(each, OTHER_CLIENT_PREFIX))).toEqual([]);
  });

  it('should let a burst wait for longer', () => {
    for (const each of CLASSES) begin(each, 100);
    setWait(249, false);
    expect(refusedClasses()).toEqual([]);
    setWait(250, false);
    expect(refusedClasses()).toEqual(CLASSES);
  });

  it('should refuse a class of which too many requests are in flight, even if none waits', () => {
    begin('read', SOFT_MAX - 1);
    expect(refusedClasses()).toEqual([]);
    begin('read', 1);
    expect(refusedClasses()).toEqual(['read']);
  });

  it('should let no client prefix keep others out', () => {
    begin('read', SOFT_MAX);
    expect(refuses('read', OTHER_CLIENT_PREFIX)).toBe(false);
    // Each of two client prefixes may have half of SOFT_MAX.
    begin('read', SOFT_MAX / 2 - 1, OTHER_CLIENT_PREFIX);
    expect(refuses('read', OTHER_CLIENT_PREFIX)).toBe(false);
    begin('read', 1, OTHER_CLIENT_PREFIX);
    expect(refuses('read', OTHER_CLIENT_PREFIX)).toBe(true);
    expect(refuses('read', '203.0.113.0/24')).toBe(false);
  });

  it('should accept at most twice the soft limit from any number of client prefixes', () => {
    begin('read', SOFT_MAX);
    const clientPrefixes = Array.from({ length: 2 * SOFT_MAX }, (_, at) => `2001:db8:${at}::/56`);
    const accepted = clientPrefixes.filter((clientPrefix) => {
      const isAccepted = !refuses('read', clientPrefix);
      if (isAccepted) begin('read', 1, clientPrefix);
      return isAccepted;
    });
    expect(accepted).toEqual(clientPrefixes.slice(0, SOFT_MAX));
  });

  it('should accept again once requests have ended, and count what it has refused', () => {
    setWait(200, true);
    begin('read', 23);
    const last = { requestClass: 'read', clientPrefix: CLIENT_PREFIX } as const;
    limit.begin(last);
    expect([limit.isWorkedOn(last), refusedClasses()]).toEqual([true, ['costly-read', 'read']]);
    limit.end(last);
    // The connection may close after the response was sent.
    limit.end(last);
    expect(limit.isWorkedOn(last)).toBe(false);
    expect(refusedClasses()).toEqual(['costly-read']);
    expect(limit.refusals).toEqual({ 'costly-read': 2, read: 1, write: 0, 'sign-in': 0 });
  });
});

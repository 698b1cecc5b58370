import { beforeEach, describe, expect, it } from '@jest/globals';
import { History } from './history.js';

/** Tests the check that the randomised test in processes.e2e-spec.ts relies on. */
describe('a history', () => {
  let now: number;
  let history: History;

  beforeEach(() => {
    now = 0;
    history = new History(() => now);
    history.begin('blog', 'first');
  });

  const setNow = (time: number): void => {
    now = time;
  };
  const write = (value: string, start: number, end: number, process = 0): Promise<void> => {
    setNow(start);
    return history.write('blog', process, value, () => Promise.resolve(setNow(end)));
  };
  const read = (value: string, start: number, end: number, process = 1): Promise<void> => {
    setNow(start);
    return history.read('blog', process, () => {
      setNow(end);
      return Promise.resolve(value);
    });
  };
  const violations = (): string[] => history.violations(1_000);

  it.each([
    ['the old value on another process within a second', 'first', 1_000, 1],
    ['the new value on another process at once', 'second', 200, 1],
    ['the new value on the same process', 'second', 201, 0],
    ['the old value while the write is in flight', 'first', 150, 0],
    ['the new value while the write is in flight', 'second', 150, 1],
  ])('should allow %s', async (_label, value, start, process) => {
    await write('second', 100, 200);
    await read(value, start, start + 10, process);
    expect(violations()).toEqual([]);
  });

  it.each([
    ['the old value on another process after a second', 'first', 1_201, 1],
    ['the old value on the process that has acknowledged the new one', 'first', 201, 0],
    ['a value before its write has begun', 'second', 50, 1],
    ['a value that was never written', 'third', 1_000, 1],
  ])('should catch %s', async (_label, value, start, process) => {
    await write('second', 100, 200);
    await read(value, start, start + 10, process);
    expect(violations()).toEqual([expect.stringContaining(`answered "${value}"`)]);
  });

  it('should catch the value before the last two writes, however recent the last write is', async () => {
    await write('second', 100, 200);
    await write('third', 1_150, 1_250);
    await read('first', 1_260, 1_300);
    await read('second', 1_260, 1_300);
    expect(violations()).toEqual([expect.stringContaining('answered "first"')]);
  });

  it('should allow an old value that was written again', async () => {
    await write('second', 100, 200);
    await write('first', 300, 400);
    await read('first', 5_000, 5_001);
    expect(violations()).toEqual([]);
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { History } from './history.js';

/** The randomised test of two processes rests on this check, so the check is tested itself. */
describe('a history', () => {
  let now: number;
  let history: History;

  beforeEach(() => {
    now = 0;
    history = new History(() => now);
    history.begin('blog', 'first');
  });

  const at = (time: number): void => {
    now = time;
  };
  const write = (value: string, start: number, end: number, process = 0): Promise<void> => {
    at(start);
    return history.write('blog', process, value, () => Promise.resolve(at(end)));
  };
  const read = (value: string, start: number, end: number, process = 1): Promise<void> => {
    at(start);
    return history.read('blog', process, () => {
      at(end);
      return Promise.resolve(value);
    });
  };
  const violations = (): string[] => history.violations(1_000);

  it.each([
    ['the old value elsewhere within a second', 'first', 1_000, 1],
    ['the new value elsewhere at once', 'second', 200, 1],
    ['the new value on the same process', 'second', 201, 0],
    ['the old value while the write is under way', 'first', 150, 0],
    ['the new value while the write is under way', 'second', 150, 1],
  ])('should allow %s', async (_label, value, start, process) => {
    await write('second', 100, 200);
    await read(value, start, start + 10, process);
    expect(violations()).toEqual([]);
  });

  it.each([
    ['the old value elsewhere after a second', 'first', 1_201, 1],
    ['the old value on the process that has acknowledged the new one', 'first', 201, 0],
    ['a value before its write has begun', 'second', 50, 1],
    ['a value that was never written', 'third', 1_000, 1],
  ])('should catch %s', async (_label, value, start, process) => {
    await write('second', 100, 200);
    await read(value, start, start + 10, process);
    expect(violations()).toEqual([expect.stringContaining(`answered "${value}"`)]);
  });

  it('should catch a value of two versions ago, however new the last one is', async () => {
    await write('second', 100, 200);
    await write('third', 1_150, 1_250);
    await read('first', 1_260, 1_300);
    await read('second', 1_260, 1_300);
    expect(violations()).toEqual([expect.stringContaining('answered "first"')]);
  });

  it('should allow a value again that has come back', async () => {
    await write('second', 100, 200);
    await write('first', 300, 400);
    await read('first', 5_000, 5_001);
    expect(violations()).toEqual([]);
  });
});

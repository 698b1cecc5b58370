import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Piscina } from 'piscina';
import { UnavailableError } from '../http/errors/api.errors.js';
import { NO_ACCOUNT, TextThread } from './text-thread.js';

/** Runs tasks, which are their own results, each until `end` is called. */
class HeldThread extends TextThread<string, string> {
  readonly started: string[] = [];
  private ended: (() => void)[] = [];

  constructor() {
    const wake = { task: '' };
    super({ filename: 'none', name: 'none', wake, busyMessage: 'busy', lostMessage: 'lost' });
  }

  override async run(task: string): Promise<string> {
    this.started.push(task);
    await new Promise<void>((resolve) => this.ended.push(resolve));
    if (task.includes('fails')) throw new Error(task);
    return task;
  }

  /** Ends the task that is under way, and waits until the next one has started. */
  async end(): Promise<void> {
    this.ended.shift()?.();
    await new Promise(setImmediate);
  }
}

describe('TextThread', () => {
  let thread: HeldThread;
  const add = (task: string, length = 1): Promise<unknown> =>
    thread.runText(task, length, task.split(' ')[0] ?? NO_ACCOUNT).catch((error: unknown) => error);
  /** Adds the tasks in order, ends one after the other, and returns the order in which they ran. */
  const orderOf = async (...tasks: string[]): Promise<string> => {
    const results = tasks.map((task) => add(task));
    for (const _ of tasks) await thread.end();
    await Promise.all(results);
    return thread.started.join(', ');
  };

  beforeEach(() => {
    thread = new HeldThread();
  });

  afterEach(() => Piscina.prototype.destroy.call(thread));

  it('should run one task at a time', async () => {
    const results = ['a 1', 'b 1', 'c 1'].map((task) => add(task));
    await thread.end();
    expect(thread.started).toEqual(['a 1', 'b 1']);
    await thread.end();
    await thread.end();
    expect(await Promise.all(results)).toEqual(['a 1', 'b 1', 'c 1']);
  });

  it.each([
    ['one other task before a newcomer', ['a 1', 'a 2', 'a 3', 'b 1'], 'a 1, b 1, a 2, a 3'],
    ['owners in turn', ['a 1', 'a 2', 'b 1', 'b 2', 'c 1'], 'a 1, b 1, a 2, c 1, b 2'],
    ['an owner alone in the order of arrival', ['a 1', 'a 2', 'a 3'], 'a 1, a 2, a 3'],
    ['the next task after one that fails', ['a fails', 'a 2', 'b 1'], 'a fails, b 1, a 2'],
    [
      'readers and jobs as one more owner',
      ['a 1', 'a 2', ' 1', ' 2', 'b 1'],
      'a 1,  1, a 2, b 1,  2',
    ],
  ])('should run %s', async (_, tasks, order) => {
    expect(await orderOf(...tasks)).toBe(order);
  });

  it('should refuse an owner that has too many characters, and no other', async () => {
    const results = [add('a 1', 1_500_000), add('a 2', 600_000), add('b 1', 600_000)];
    expect(await results[1]).toBeInstanceOf(UnavailableError);
    await thread.end();
    await thread.end();
    expect(await Promise.all([results[0], results[2]])).toEqual(['a 1', 'b 1']);
    const later = add('a 3', 1_900_000);
    await thread.end();
    expect(await later).toBe('a 3');
  });

  it('should drop the newest task of the owner with the most when all have too many', async () => {
    const lengths = 'abcd'.split('').flatMap((owner) => [1, 2, 3, 4].map((at) => `${owner} ${at}`));
    const results = lengths.map((task) => add(task, 499_000));
    const small = add('e 1', 30_000);
    await thread.end();
    for (const _ of lengths) await thread.end();
    expect(await small).toBe('e 1');
    const refused = (await Promise.all(results)).filter((each) => each instanceof UnavailableError);
    expect(refused).toHaveLength(1);
    expect(thread.started.indexOf('e 1')).toBeLessThan(6);
  });
});

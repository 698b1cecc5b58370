import type { FastifyBaseLogger } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { OutageLog } from './outage-log.js';

const REPORT_MS = 10_000;

describe('OutageLog', () => {
  let outages: OutageLog;
  let lines: [fields: object, text: string][];

  beforeEach(() => {
    jest.useFakeTimers();
    outages = new OutageLog();
    lines = [];
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  function fail(cause: string): void {
    const error = (fields: object, text: string) => lines.push([fields, text]);
    outages.add({ log: { error } as unknown as FastifyBaseLogger, err: cause });
  }

  it('should log the first cause at once, count while requests fail, and begin anew afterwards', () => {
    fail('first');
    fail('second');
    fail('third');
    jest.advanceTimersByTime(REPORT_MS);
    fail('fourth');
    jest.advanceTimersByTime(REPORT_MS);
    expect(lines).toEqual([
      [{ err: 'first' }, 'the database cannot be reached'],
      [{ err: 'third', requests: 2 }, expect.stringContaining('counted here')],
      [{ err: 'fourth', requests: 1 }, expect.stringContaining('counted here')],
    ]);
    jest.advanceTimersByTime(REPORT_MS);
    expect(lines).toHaveLength(3);
    fail('of the next outage');
    expect(lines.slice(3)).toEqual([
      [{ err: 'of the next outage' }, 'the database cannot be reached'],
    ]);
  });
});

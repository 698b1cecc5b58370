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

  it('should log the first cause at once, and count the others', () => {
    fail('first');
    fail('second');
    fail('third');
    expect(lines).toEqual([[{ err: 'first' }, 'the database cannot be reached']]);
    jest.advanceTimersByTime(REPORT_MS);
    expect(lines.slice(1)).toEqual([
      [{ err: 'third', requests: 2 }, expect.stringContaining('counted here')],
    ]);
  });

  it('should go on counting while requests fail, and begin anew afterwards', () => {
    fail('first');
    fail('second');
    jest.advanceTimersByTime(REPORT_MS);
    fail('third');
    jest.advanceTimersByTime(REPORT_MS);
    expect(lines.map(([fields]) => fields)).toEqual([
      { err: 'first' },
      { err: 'second', requests: 1 },
      { err: 'third', requests: 1 },
    ]);
    jest.advanceTimersByTime(REPORT_MS);
    expect(lines).toHaveLength(3);
    fail('of the next outage');
    expect(lines.slice(3)).toEqual([
      [{ err: 'of the next outage' }, 'the database cannot be reached'],
    ]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { scheduleProblems } from './schedule-times.js';

const NOW = new Date('2028-01-31T12:00:00.000Z');
const at = (time: string): Date => new Date(time);

describe('scheduleProblems', () => {
  it.each([
    { publishAt: at('2028-01-31T12:01:00.000Z') },
    { publishAt: at('2030-01-31T12:00:00.000Z') },
    { unpublishAt: at('2028-01-31T12:01:00.000Z') },
    { publishAt: at('2029-01-01T00:00:00.000Z'), unpublishAt: at('2029-01-01T00:00:00.001Z') },
  ])('should find no problem in %j', (times) => {
    expect(scheduleProblems(times, NOW)).toEqual([]);
  });

  it.each([
    [{}, ['publishAt or unpublishAt is missing']],
    [
      { publishAt: at('2028-01-31T12:00:59.999Z') },
      ['publishAt must be 1 minute to 2 years ahead'],
    ],
    [
      { publishAt: at('2027-01-31T12:00:00.000Z'), unpublishAt: at('2030-01-31T12:00:00.001Z') },
      [
        'publishAt must be 1 minute to 2 years ahead',
        'unpublishAt must be 1 minute to 2 years ahead',
      ],
    ],
    [
      { publishAt: at('2029-01-01T00:00:00Z'), unpublishAt: at('2029-01-01T00:00:00Z') },
      ['unpublishAt must be later than publishAt'],
    ],
    [
      { publishAt: at('2029-01-01T00:00:00Z'), unpublishAt: at('2028-12-01T00:00:00Z') },
      ['unpublishAt must be later than publishAt'],
    ],
  ])('should refuse %j', (times, messages) => {
    expect(scheduleProblems(times, NOW).map(({ message }) => message)).toEqual(messages);
  });
});

import { parseDuration } from './duration.js';

export const RATE_PATTERN = /^([1-9]\d{0,6})\/([1-9]\d{0,8}(?:ms|s|m|h|d))$/;

export interface Rate {
  /** Largest number of events in a window. */
  readonly count: number;
  /** Length of the window in seconds. */
  readonly seconds: number;
}

/**
 * Parses a rate such as `100/1h`: at most 100 events in a window of one hour. The first event opens the window.
 *
 * @param text in the form of RATE_PATTERN
 */
export function parseRate(text: string): Rate {
  const [, count, duration = ''] = RATE_PATTERN.exec(text) ?? [];
  return { count: Number(count), seconds: parseDuration(duration) / 1_000 };
}

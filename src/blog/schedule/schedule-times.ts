import type { TransitionDetails } from '../core/transitions/transition.js';
import type { FieldError } from '../../platform/http/envelope/envelope.js';

type Times = Pick<TransitionDetails, 'publishAt' | 'unpublishAt'>;

const MIN_AHEAD_MS = 60_000;
const MAX_AHEAD_YEARS = 2;

/** @returns what is wrong with the times that a request sets; `now` is the present time */
export function scheduleProblems(times: Times, now: Date): FieldError[] {
  const { publishAt, unpublishAt } = times;
  if (!publishAt && !unpublishAt) {
    return [{ field: '', message: 'publishAt or unpublishAt is missing' }];
  }
  const outOfRange = (['publishAt', 'unpublishAt'] as const)
    .filter((field) => times[field] && !isInRange(times[field], now))
    .map((field) => ({ field, message: `${field} must be 1 minute to 2 years ahead` }));
  if (outOfRange.length > 0) return outOfRange;
  if (publishAt && unpublishAt && unpublishAt <= publishAt) {
    return [{ field: 'unpublishAt', message: 'unpublishAt must be later than publishAt' }];
  }
  return [];
}

function isInRange(time: Date, now: Date): boolean {
  const latest = new Date(now);
  latest.setUTCFullYear(now.getUTCFullYear() + MAX_AHEAD_YEARS);
  return time.getTime() >= now.getTime() + MIN_AHEAD_MS && time <= latest;
}

import { sourceDate } from './source-date.ts';

/**
 * Matches a day in a path or a URL: `2021/07/29/`, `2021-07-29-slug`, `2021/07-29-slug`, `2021_07_29`, `20210729`, or a
 * time such as `202107291030`.
 */
const DAY =
  /(?<!\d)((?:19|20)\d{2})(?:[-_./](\d{1,2})[-_./](\d{1,2})|[-_./]?(\d{2})(\d{2})(?:[-_T]?\d{4}(?:\d{2})?)?)(?!\d)/g;

/** Matches a folder of a month: `2021/07/` or `2021-07/`. */
const MONTH = /(?:^|\/)((?:19|20)\d{2})[-_./](\d{1,2})(?=\/)/g;

/** A date, and whether its day is known. */
export interface PathDate {
  readonly date: Date;
  readonly hasDay: boolean;
}

/** The date that a path or a URL holds, the last one if there are several; null for none. */
export function dateInPath(path: string): PathDate | null {
  const days = [...path.matchAll(DAY)].flatMap(([, year, month, day, otherMonth, otherDay]) => {
    const date = sourceDate(`${year}-${month ?? otherMonth}-${day ?? otherDay}`);
    return date === null ? [] : [{ date, hasDay: true }];
  });
  const months = [...path.matchAll(MONTH)].flatMap(([, year, month]) => {
    const date = sourceDate(`${year}-${month}-01`);
    return date === null ? [] : [{ date, hasDay: false }];
  });
  return days.at(-1) ?? months.at(-1) ?? null;
}

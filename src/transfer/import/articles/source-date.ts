/**
 * Matches `2024-01-31`, which a time and an offset may follow, as YAML, TOML, Jekyll, MySQL and
 * ISO 8601 write them.
 */
const TIME =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt]|\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)?\s*(?:(Z|z|UTC|GMT)|([+-])(\d{2}):?(\d{2})?)?$/;

const MONTH = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;

/** A larger number counts milliseconds since 1970; any other number counts seconds. */
const SECONDS_MAX = 1e11;
/** Smallest number that counts as a time; smaller numbers are years or the like. */
const SECONDS_MIN = 1e8;

/**
 * Reads a time of a source. A time without an offset is in UTC.
 *
 * @param value a text, a date, or a number of seconds or milliseconds since 1970
 * @returns null for a value that is no time
 */
export function sourceDate(value: unknown): Date | null {
  if (value instanceof Date) return valid(value.getTime());
  if (typeof value === 'number') {
    if (value < SECONDS_MIN) return null;
    return valid(value > SECONDS_MAX ? value : value * 1_000);
  }
  return typeof value === 'string' ? dateOfText(value.trim()) : null;
}

function dateOfText(text: string): Date | null {
  const match = TIME.exec(text);
  if (!match) return dateOfWords(text);
  const [year, month, day, ...time] = match.slice(1, 7).map((part) => Number(part ?? 0));
  const [hour = 0, minute = 0, second = 0] = time;
  const [sign, hours = '0', minutes = '0'] = match.slice(8, 11);
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const date = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute, second));
  // Date.UTC would take 31 February for 2 March, and 0000-00-00 for a day in 1899.
  if (date.getUTCMonth() + 1 !== month || date.getUTCDate() !== day) return null;
  return valid(date.getTime() - offset * 60_000);
}

/** Reads `Jul 08 2022`, or the date of an email. The result must not depend on the machine's time zone. */
function dateOfWords(text: string): Date | null {
  if (!MONTH.test(text) || !/\d{4}/.test(text)) return null;
  return valid(Date.parse(`${text} UTC`)) ?? valid(Date.parse(text));
}

function valid(time: number): Date | null {
  const date = new Date(time);
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9_999 ? date : null;
}

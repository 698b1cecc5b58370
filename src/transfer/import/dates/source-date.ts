/**
 * Matches `2024-01-31`, which a time and an offset may follow, as YAML, TOML, Jekyll, MySQL and
 * ISO 8601 write them; also `2024/01/31` and `2024.01.31`.
 */
const TIME =
  /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:(?:[Tt]|,?\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?(?:\s*([AP])\.?M\.?)?)?\s*(?:(Z|z|UTC|GMT)|([+-])(\d{2}):?(\d{2})?)?$/i;

/** Matches a day whose year stands last. Only a number above 12 says which of the others is the day. */
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/;

/** Matches the dates of Chinese and Japanese. */
const EAST_ASIAN = /^(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日$/;

/** Matches a day that is written as one number: `20240131`. */
const COMPACT = /^((?:19|20)\d{2})(\d{2})(\d{2})$/;

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
    if (value < SECONDS_MIN) return COMPACT.test(String(value)) ? dateOfText(String(value)) : null;
    return valid(value > SECONDS_MAX ? value : value * 1_000);
  }
  return typeof value === 'string' ? dateOfText(value.trim()) : null;
}

function dateOfText(text: string): Date | null {
  const match = TIME.exec(normalForm(text));
  if (!match) return dateOfWords(text);
  const [year, , month, day, ...time] = match.slice(1, 8).map((part) => Number(part ?? 0));
  const [hour = 0, minute = 0, second = 0] = time;
  const [half, , sign, hours = '0', minutes = '0'] = match.slice(8, 13);
  const hourOfDay = half === undefined ? hour : (hour % 12) + (/p/i.test(half) ? 12 : 0);
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const date = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day, hourOfDay, minute, second));
  // Date.UTC would take 31 February for 2 March, and 0000-00-00 for a day in 1899.
  if (date.getUTCMonth() + 1 !== month || date.getUTCDate() !== day) return null;
  return valid(date.getTime() - offset * 60_000);
}

/** The day with the year first, if the text is a day in another order; else the text itself. */
function normalForm(text: string): string {
  const [, first = '', , second = '', year] = YEAR_LAST.exec(text) ?? [];
  if (year !== undefined) {
    if (Number(first) > 12 || first === second) return `${year}-${second}-${first}`;
    return Number(second) > 12 ? `${year}-${first}-${second}` : text;
  }
  const [, ...parts] = EAST_ASIAN.exec(text) ?? COMPACT.exec(text) ?? [];
  return parts.length === 0 ? text : parts.join('-');
}

/** Reads `Jul 08 2022`, or the date of an email. The result must not depend on the machine's time zone. */
function dateOfWords(text: string): Date | null {
  if (!MONTH.test(text) || !/\d{4}/.test(text)) return null;
  const plain = text.replace(/(\d)(?:st|nd|rd|th)\b/gi, '$1').replace(/\bat\b/i, ' ');
  return valid(Date.parse(`${plain} UTC`)) ?? valid(Date.parse(plain));
}

function valid(time: number): Date | null {
  const date = new Date(time);
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9_999 ? date : null;
}

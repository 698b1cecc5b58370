/** Deepest allowed nesting. No schema nests deeper. */
const DEPTH_MAX = 10;

/** The last year of which JSON and the databases of clients know a time without a sign. */
const YEAR_MAX = 9999;

/** Fields with any finite number; all other numbers are counts, that is integers from 0. */
const MEASURES = /^(?:score|(?:picture|(?:live\.)?cover)\.focus\.[xy])$/;

/**
 * Checks what a schema does not: that every number and time in a record is one that the server could have stored, and
 * every text well-formed.
 *
 * @throws Error that names the field, without a full stop
 */
export function checkValues(value: unknown, path = '', depth = 0): void {
  const refuse = (problem: string): never => {
    throw new Error(`${path} ${problem}`);
  };
  if (depth > DEPTH_MAX) refuse('is nested too deep');
  if (typeof value === 'string') {
    if (!value.isWellFormed() || value.includes('\0')) refuse('holds characters that are no text');
  } else if (typeof value === 'number') {
    const isMeasure = MEASURES.test(path) && Number.isFinite(value);
    if (!isMeasure && !(Number.isSafeInteger(value) && value >= 0)) refuse('is no number from 0');
  } else if (value instanceof Date) {
    const year = value.getUTCFullYear();
    if (!(year >= 0 && year <= YEAR_MAX)) refuse('is no time');
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => checkValues(item, `${path}.${index}`, depth + 1));
  } else if (Object.getPrototypeOf(value ?? 0) === Object.prototype) {
    for (const [name, member] of Object.entries(value as object)) {
      checkValues(member, path === '' ? name : `${path}.${name}`, depth + 1);
    }
  }
}

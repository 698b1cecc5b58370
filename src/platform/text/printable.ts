import { withoutForbidden } from './characters.js';

/**
 * The values of a record without control characters and characters that change the order of others, which
 * no input of the API accepts. HTML is left to cleaning.
 *
 * @param report gets a message for each field that has changed
 */
export function printable(
  record: Readonly<Record<string, unknown>>,
  report: (change: string) => void,
): Record<string, unknown> {
  const entries = Object.entries(record).map(([name, value]) => {
    const printed = name === 'draftText' ? value : printedValue(value);
    if (JSON.stringify(printed) !== JSON.stringify(value)) {
      report(`${name}: characters removed that control the output`);
    }
    return [name, printed];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function printedValue(value: unknown): unknown {
  if (typeof value === 'string') return withoutForbidden(value);
  if (Array.isArray(value)) return value.map(printedValue);
  return value;
}

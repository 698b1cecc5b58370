import { withoutForbidden } from './characters.js';

/**
 * The values of a record without control characters and characters that change the order of others, which
 * no input of the API accepts.
 *
 * @param report gets a message for each field that has changed
 */
export function strippedRecord(
  record: Readonly<Record<string, unknown>>,
  report: (change: string) => void,
): Record<string, unknown> {
  const entries = Object.entries(record).map(([name, value]) => {
    const stripped = strippedValue(value);
    if (JSON.stringify(stripped) !== JSON.stringify(value)) {
      report(`${name}: characters removed that control the output`);
    }
    return [name, stripped];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function strippedValue(value: unknown): unknown {
  if (typeof value === 'string') return withoutForbidden(value);
  if (Array.isArray(value)) return value.map(strippedValue);
  return value;
}

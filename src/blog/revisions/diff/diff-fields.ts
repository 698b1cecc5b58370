import { isDeepStrictEqual } from 'node:util';
import {
  LIVE_FIELDS,
  type DerivedFieldName,
  type LiveField,
  type StoredWorkingCopy,
} from '../../core/blog-fields.js';

/** One of the two revisions that are compared: the fields that the author writes. */
export type DiffSide = Omit<StoredWorkingCopy, DerivedFieldName>;

/** A changed field. A value is left out on the side that lacks an optional field. */
export interface FieldChange {
  readonly field: LiveField;
  readonly before?: string | readonly string[];
  readonly after?: string | readonly string[];
}

/**
 * The changed fields except the text, in the order of LIVE_FIELDS. Tags in a different order are a
 * change.
 */
export function diffFields(
  before: Pick<DiffSide, LiveField>,
  after: Pick<DiffSide, LiveField>,
): FieldChange[] {
  return LIVE_FIELDS.flatMap((field) => {
    // A record may hold null for an optional field.
    const [older, newer] = [before[field] ?? null, after[field] ?? null];
    if (isDeepStrictEqual(older, newer)) return [];
    return {
      field,
      ...(older === null ? {} : { before: older }),
      ...(newer === null ? {} : { after: newer }),
    };
  });
}

import { isDeepStrictEqual } from 'node:util';
import {
  FIELD_NAMES,
  ruleOf,
  type BlogFieldName,
  type DerivedFieldName,
  type StoredWorkingCopy,
} from '../../core/blog-fields.js';
import type { Cover } from '../../media/cover/cover.js';

/** One of the two revisions that are compared: the fields that the author writes. */
export type DiffSide = Omit<StoredWorkingCopy, DerivedFieldName>;

/** The fields that are compared as a whole: all but the text, whose words are compared. */
export const COMPARED_FIELDS = FIELD_NAMES.filter(
  (name): name is Exclude<BlogFieldName, 'draftText'> => ruleOf(name).kind !== 'html',
);
type ComparedField = (typeof COMPARED_FIELDS)[number];

type ComparedValue = string | readonly string[] | Cover;

/** A changed field. A value is left out on the side that lacks an optional field. */
export interface FieldChange {
  readonly field: ComparedField;
  readonly before?: ComparedValue;
  readonly after?: ComparedValue;
}

/**
 * The changed fields except the text, in the order of COMPARED_FIELDS. Tags in a different order are a
 * change.
 */
export function diffFields(
  before: Pick<DiffSide, ComparedField>,
  after: Pick<DiffSide, ComparedField>,
): FieldChange[] {
  return COMPARED_FIELDS.flatMap((field) => {
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

import {
  DERIVED_FIELDS,
  DERIVED_NAMES,
  FIELD_NAMES,
  type BlogFieldName,
  type DerivedFieldName,
  type OptionalField,
  type StoredWorkingCopy,
  type ValueOf,
  type WorkingCopyChanges,
} from './blog-fields.js';
import type { CleanHtml } from './html/clean-html.js';
import { dedupeTags } from './text/words.js';

/** The fields as typed, save the text, which HtmlCleaner has cleaned. */
export type WorkingCopyInput = {
  readonly [Name in BlogFieldName]?:
    ValueOf<Name, CleanHtml> | (Name extends OptionalField ? null : never) | undefined;
};

/** Everything that a new blog stores of its working copy but the slug. */
export type NewWorkingCopy = Omit<StoredWorkingCopy<CleanHtml>, 'slug'>;

/** What `toNewWorkingCopy` needs: all that is stored in every blog, and the optional fields. */
type NewWorkingCopyInput = Omit<WorkingCopyInput, 'slug' | RequiredName> & {
  readonly [Name in RequiredName]: ValueOf<Name, CleanHtml>;
};
type RequiredName = Exclude<BlogFieldName, OptionalField | 'slug'>;

/**
 * @param input any of the fields; an undefined one is left out
 * @returns those fields as they are stored, with what is derived from them
 */
export function toWorkingCopy(input: WorkingCopyInput): WorkingCopyChanges<CleanHtml> {
  const copy: Record<string, unknown> = {};
  for (const name of FIELD_NAMES) {
    if (input[name] === undefined) continue;
    const value = name === 'tags' ? dedupeTags(input[name] ?? []) : input[name];
    Object.assign(copy, { [name]: value }, derivedFrom(name, value));
  }
  return copy;
}

/** The working copy of a new blog: without the optional fields that are null or left out. */
export function toNewWorkingCopy(input: NewWorkingCopyInput): NewWorkingCopy {
  const given = Object.entries(toWorkingCopy(input)).filter(([, value]) => value !== null);
  // The type of the input demands whatever the type of the result promises.
  return Object.fromEntries(given) as unknown as NewWorkingCopy;
}

/** What is stored beside a field, derived from this value of it. */
export function derivedFrom(
  name: BlogFieldName,
  value: unknown,
): Partial<Record<DerivedFieldName, unknown>> {
  const derived = DERIVED_NAMES.filter((each) => DERIVED_FIELDS[each].from === name);
  return Object.fromEntries(
    derived.map((each) => [each, (DERIVED_FIELDS[each].derive as Derive)(value)]),
  );
}

/** The value is of the field that the table names, which has the type that `derive` takes. */
type Derive = (value: unknown) => unknown;

import {
  type PUBLISHED_FIELDS,
  type DerivedFieldName,
  type ValueOf,
} from '../../src/blog/core/blog-fields.js';

/** The cover takes the place of `imgUrl`, and needs a picture: it has tests of its own (test/blog/media/covers). */
type PublishedField = Exclude<(typeof PUBLISHED_FIELDS)[number], 'cover'>;

interface TestField<Name extends PublishedField> {
  /** A valid value that contains the mark, so that no other blog has the same value. */
  readonly value: (mark: string) => ValueOf<Name, string>;
  /** The derived fields that are stored and published with the field. */
  readonly derived: readonly DerivedFieldName[];
}

/** Test values of each field that an author writes and that is published. */
const FIELDS: { readonly [Name in PublishedField]: TestField<Name> } = {
  title: { value: (mark) => `Title of ${mark}`, derived: ['titleWords'] },
  description: { value: (mark) => `Description of ${mark}`, derived: ['descriptionWords'] },
  // `htmlVersion` and `readingMinutes` are left out, because an edit does not change their values.
  draftText: { value: (mark) => `<p>Text of ${mark}</p>`, derived: [] },
  slug: { value: (mark) => mark, derived: [] },
  tags: { value: (mark) => [`tag-${mark}`], derived: ['tagKeys'] },
  imgUrl: { value: (mark) => `https://example.org/${mark}.png`, derived: [] },
};

export const FIELD_NAMES = Object.keys(FIELDS) as readonly PublishedField[];

/** The fields that are published under their own name, and that lists show. */
export const LIVE_FIELD_NAMES = FIELD_NAMES.filter((name) => name !== 'draftText');

/** These fields and their derived fields. */
export function withDerived(names: readonly PublishedField[]): string[] {
  return names.flatMap((name) => [name, ...FIELDS[name].derived]);
}

export type BlogBody = {
  readonly [Name in PublishedField]: ValueOf<Name, string>;
};

/** A body with every field. Each value contains the mark. */
export function markedBody(mark: string): BlogBody {
  const values = FIELD_NAMES.map((name) => [name, FIELDS[name].value(mark)]);
  return Object.fromEntries(values) as BlogBody;
}

/** All texts of a body, to check that a response contains none of them. */
export function textsOf(body: BlogBody): string[] {
  return Object.values(body).flat();
}

import type { Bounds } from '../../platform/http/validation/text-length.js';
import type { CleanHtml } from './html/clean-html.js';
import { SchemaTypes } from 'mongoose';
import { textDigest } from './markdown/markdown-digest.js';
import { SLUG_LENGTH_MAX } from './text/slug.js';
import { readingMinutes } from './text/reading-minutes.js';
import type { Cover, CoverChoice } from '../media/cover/cover.js';
import { pictureIdsIn } from '../media/serving/picture-ids.js';
import { dedupeTags, tagKeys, textWords } from './text/words.js';

/** A row of BLOG_FIELDS. Bounds are in Unicode code points. */
export type BlogFieldRule = {
  /**
   * - `required`: the body of a new blog must hold it.
   * - `filled`: if the body of a new blog leaves it out, the server sets it.
   * - `optional`: a blog may lack it; `null` in a body removes it.
   */
  readonly presence: 'required' | 'filled' | 'optional';
  /** Documents the field of a request body. */
  readonly description?: string;
} & (
  | ({ readonly kind: 'text'; readonly example: string } & Bounds)
  /** The text of the article, published as `text`. `cleaned` has the bounds of the cleaned text. */
  | ({ readonly kind: 'html'; readonly example: string; readonly cleaned: Bounds } & Bounds)
  /** The Markdown from which the text was made. It is stored with the working copy alone, and never published. */
  | ({ readonly kind: 'markdown'; readonly example: string } & Bounds)
  | { readonly kind: 'slug'; readonly example: string; readonly max: number }
  /** An http or https URL, validated by `HttpUrl`. */
  | { readonly kind: 'address'; readonly example: string }
  /** A picture of the media library, and what the article says of it. */
  | { readonly kind: 'picture'; readonly example: CoverChoice }
  /** A list of at most `maxItems` tags. The bounds are those of one tag. */
  | ({
      readonly kind: 'tags';
      readonly example: readonly string[];
      readonly maxItems: number;
    } & Bounds)
);

/**
 * Every field of a blog that its author writes. Schema, transitions, projections, inputs, views and
 * migration are derived from this table, or do not compile until they name each of its fields.
 *
 * A blog stores each field twice: in the working copy, and under `live` as published. `publish`
 * copies it to `live`, `discard` copies it back. Author, editor and readers see it in articles and
 * in lists. The `html` field differs: it is published as the top-level field `text`, not under
 * `live`, and lists leave it out. The `markdown` field is for author and editors only.
 */
export const BLOG_FIELDS = {
  title: {
    kind: 'text',
    presence: 'required',
    min: 1,
    max: 500,
    example: 'Notes on the Analytical Engine',
  },
  description: {
    kind: 'text',
    presence: 'required',
    min: 1,
    max: 2_000,
    example: 'What the engine can do, and what it cannot.',
  },
  draftText: {
    kind: 'html',
    presence: 'required',
    min: 1,
    max: 1_048_576,
    cleaned: { min: 1, max: 100_000 },
    example: '<p>It weaves algebraic patterns.</p>',
    description: 'HTML; cleaned when stored, and then 1 to 100,000 characters',
  },
  draftMarkdown: {
    kind: 'markdown',
    presence: 'optional',
    min: 1,
    max: 100_000,
    example: 'It weaves *algebraic* patterns.',
    description:
      'Instead of `draftText`, which is made from it; kept until the text is written as HTML',
  },
  slug: {
    kind: 'slug',
    presence: 'filled',
    max: SLUG_LENGTH_MAX,
    example: 'notes-on-the-analytical-engine',
    description:
      'Normalised: lower case, - between words. Left out: made from the title, and follows it until the first submission',
  },
  tags: {
    kind: 'tags',
    presence: 'filled',
    maxItems: 20,
    min: 1,
    max: 50,
    example: ['history', 'computing'],
  },
  imgUrl: {
    kind: 'address',
    presence: 'optional',
    example: 'https://example.org/engine.png',
    description: 'Instead of `cover`',
  },
  cover: {
    kind: 'picture',
    presence: 'optional',
    example: { media: '66f1a2b3c4d5e6f708192a3b', alt: 'A brass engine with rows of gears' },
    description: 'A picture of the media library, instead of `imgUrl`',
  },
} as const satisfies Record<string, BlogFieldRule>;

/** Number of words of a title that are indexed to find similar blogs. More would make the index larger. */
const TITLE_WORDS = 20;
/** Number of words of a description that are stored to score similar blogs. */
const DESCRIPTION_WORDS = 40;

export interface DerivedRule {
  readonly from: BlogFieldName;
  /**
   * Whether `live` has a copy of the field. Otherwise one value serves the draft and the published
   * text.
   */
  readonly isPublished: boolean;
  readonly type: typeof Number | readonly [typeof String] | readonly [typeof SchemaTypes.ObjectId];
  /** Returns null for a blog that needs no value. Only a field that is `optional` may do so. */
  readonly derive: (value: never, htmlVersion: number) => unknown;
  /** Whether a blog may lack the field. */
  readonly optional?: true;
}

/**
 * Fields that the server derives from a field of BLOG_FIELDS. They are stored together with that
 * field, and copied to `live` with it if they are published.
 */
export const DERIVED_FIELDS = {
  /** The index of `live.titleWords` finds candidates for similar blogs. */
  titleWords: {
    from: 'title',
    isPublished: true,
    type: [String],
    derive: (title: string) => textWords(title, TITLE_WORDS),
  },
  /** Similar blogs are scored by these words and those of the title. */
  descriptionWords: {
    from: 'description',
    isPublished: true,
    type: [String],
    derive: (description: string) => textWords(description, DESCRIPTION_WORDS),
  },
  /** The version of the HTML policy by which the text was cleaned. */
  htmlVersion: {
    from: 'draftText',
    isPublished: false,
    type: Number,
    derive: (_text: string, htmlVersion: number) => htmlVersion,
  },
  /** The tags in the form by which they are matched (see `tagKey`). */
  tagKeys: { from: 'tags', isPublished: true, type: [String], derive: tagKeys },
  /** Minutes that reading the text takes. */
  readingMinutes: { from: 'draftText', isPublished: true, type: Number, derive: readingMinutes },
  /** The pictures of the media library that the text shows or links to; missing if there are none. */
  pictures: {
    from: 'draftText',
    isPublished: true,
    type: [SchemaTypes.ObjectId],
    optional: true,
    derive: pictureIdsIn,
  },
} as const satisfies Record<string, DerivedRule>;

type Rules = typeof BLOG_FIELDS;
type DerivedRules = typeof DERIVED_FIELDS;

export type BlogFieldName = keyof Rules;
export type DerivedFieldName = keyof DerivedRules;

type NamesWith<Part> = {
  [Name in BlogFieldName]: Rules[Name] extends Part ? Name : never;
}[BlogFieldName];

export type OptionalField = NamesWith<{ readonly presence: 'optional' }>;
type RequiredField = NamesWith<{ readonly presence: 'required' }>;
type HtmlField = NamesWith<{ readonly kind: 'html' }>;
type MarkdownField = NamesWith<{ readonly kind: 'markdown' }>;

/** Names of the fields that are published under `live`. */
export type LiveField = Exclude<BlogFieldName, HtmlField | MarkdownField>;
export type OptionalLiveField = Extract<OptionalField, LiveField>;
type LiveDerivedField = {
  [Name in DerivedFieldName]: DerivedRules[Name]['isPublished'] extends true ? Name : never;
}[DerivedFieldName];

/**
 * The value of a field.
 *
 * @typeParam Html the type of an `html` field: `string` or `CleanHtml`
 * @typeParam Picture the type of a `picture` field: as it is stored, or as a request sends it
 */
export type ValueOf<Name extends BlogFieldName, Html, Picture = Cover> = Name extends HtmlField
  ? Html
  : Rules[Name]['kind'] extends 'tags'
    ? readonly string[]
    : Rules[Name]['kind'] extends 'picture'
      ? Picture
      : string;

type StoredFields<Name extends BlogFieldName, Html> = {
  readonly [Field in Exclude<Name, OptionalField>]: ValueOf<Field, Html>;
} & {
  readonly [Field in Extract<Name, OptionalField>]?: ValueOf<Field, Html>;
};

type OptionalDerived = {
  [Name in DerivedFieldName]: DerivedRules[Name] extends { readonly optional: true } ? Name : never;
}[DerivedFieldName];

type DerivedValue<Name extends DerivedFieldName> = Readonly<
  ReturnType<DerivedRules[Name]['derive']>
>;

type DerivedValues<Name extends DerivedFieldName> = {
  readonly [Each in Exclude<Name, OptionalDerived>]: DerivedValue<Each>;
} & {
  readonly [Each in Extract<Name, OptionalDerived>]?: NonNullable<DerivedValue<Each>>;
};

/** The working copy as it is stored, with its derived fields. */
export type StoredWorkingCopy<Html = string> = StoredFields<BlogFieldName, Html> &
  DerivedValues<DerivedFieldName>;

/** The fields under `live` as they are stored, with their derived fields. */
export type StoredLiveFields = StoredFields<LiveField, string> & DerivedValues<LiveDerivedField>;

/** `Value` for an optional field, else `never`. */
type IfOptional<Name, Value> = Name extends OptionalField ? Value : never;

/**
 * Fields as a request sends them. A field that the request leaves out is undefined; `null` removes
 * an optional field.
 */
type RequestFields<Name extends BlogFieldName, Html, Picture = Cover> = {
  readonly [Each in Name]?: ValueOf<Each, Html, Picture> | IfOptional<Each, null> | undefined;
};

/** The changes that an edit stores. `null` removes the field. */
export type WorkingCopyChanges<Html = string> = Partial<
  {
    readonly [Name in BlogFieldName]: ValueOf<Name, Html> | IfOptional<Name, null>;
  } & { readonly [Name in DerivedFieldName]: DerivedValue<Name> } & {
    readonly markdownDigest: string | null;
  }
>;

/**
 * The fields of a view. The keys of optional fields are required too, so that no mapper can leave
 * them out.
 */
export type ViewFields<Picture> = {
  readonly [Name in LiveField]: ValueOf<Name, string, Picture> | IfOptional<Name, undefined>;
};

/** The body of a new blog. It holds the text as HTML or as Markdown. */
export type NewBlogBody = StoredFields<Exclude<RequiredField, HtmlField>, string> &
  RequestFields<Exclude<BlogFieldName, RequiredField> | HtmlField, string, CoverChoice>;

/** The working copy of a new blog as it is stored, without the slug. */
export type NewWorkingCopy = Omit<StoredWorkingCopy<CleanHtml>, 'slug'>;

/** The input of `toNewWorkingCopy`: all fields but the slug. Optional fields may be left out. */
type NewWorkingCopyInput = StoredFields<Exclude<BlogFieldName, OptionalField | 'slug'>, CleanHtml> &
  RequestFields<OptionalField, CleanHtml>;

export function ruleOf(name: BlogFieldName): BlogFieldRule {
  return BLOG_FIELDS[name];
}

export const FIELD_NAMES = Object.keys(BLOG_FIELDS) as readonly BlogFieldName[];

/** The fields that are published, under `live` or as `text`. */
export const PUBLISHED_FIELDS = FIELD_NAMES.filter(
  (name): name is LiveField | HtmlField => ruleOf(name).kind !== 'markdown',
);

export const LIVE_FIELDS = PUBLISHED_FIELDS.filter(
  (name): name is LiveField => ruleOf(name).kind !== 'html',
);

export const OPTIONAL_FIELDS = FIELD_NAMES.filter(
  (name): name is OptionalField => ruleOf(name).presence === 'optional',
);

export const OPTIONAL_LIVE_FIELDS = LIVE_FIELDS.filter((name) =>
  OPTIONAL_FIELDS.some((optional) => optional === name),
) as readonly OptionalLiveField[];

export const DERIVED_NAMES = Object.keys(DERIVED_FIELDS) as readonly DerivedFieldName[];

const LIVE_DERIVED_FIELDS = DERIVED_NAMES.filter(
  (name): name is LiveDerivedField => DERIVED_FIELDS[name].isPublished,
);

/** Whether the field is derived, and has one value for the draft and the published text. */
export function isStoredOnce(field: string): boolean {
  return DERIVED_NAMES.some((name) => name === field && !DERIVED_FIELDS[name].isPublished);
}

/** The fields that `publish` copies to `live`, and `discard` copies back. */
export const LIVE_COPY: readonly (keyof StoredLiveFields)[] = [
  ...LIVE_FIELDS,
  ...LIVE_DERIVED_FIELDS,
];

/**
 * Derives what an edit stores.
 *
 * @param input the fields of the request, with the text cleaned; undefined fields are skipped
 * @param htmlVersion version of the policy that has cleaned the text
 * @returns the fields of the input as they are stored, with their derived fields
 */
export function toWorkingCopy(
  input: RequestFields<BlogFieldName, CleanHtml>,
  htmlVersion: number,
): WorkingCopyChanges<CleanHtml> {
  const copy: Record<string, unknown> = {};
  for (const name of FIELD_NAMES) {
    if (input[name] === undefined) continue;
    const value = name === 'tags' ? dedupeTags(input[name] ?? []) : input[name];
    Object.assign(copy, { [name]: value }, derivedFrom(name, value, htmlVersion));
  }
  const { draftText = '', draftMarkdown } = input;
  if (draftMarkdown === undefined) return copy;
  return { ...copy, markdownDigest: draftMarkdown === null ? null : textDigest(draftText) };
}

/** Derives the working copy of a new blog. An optional field that is null is not stored. */
export function toNewWorkingCopy(input: NewWorkingCopyInput, htmlVersion: number): NewWorkingCopy {
  const entries = Object.entries(toWorkingCopy(input, htmlVersion)).filter(
    ([, value]) => value !== null,
  );
  // `Object.fromEntries` loses the types. The input has every field of the result.
  return Object.fromEntries(entries) as unknown as NewWorkingCopy;
}

/** @returns the fields that are derived from this value of a field */
export function derivedFrom(
  name: BlogFieldName,
  value: unknown,
  htmlVersion: number,
): Partial<Record<DerivedFieldName, unknown>> {
  const derived = DERIVED_NAMES.filter((each) => DERIVED_FIELDS[each].from === name);
  return Object.fromEntries(
    // The value has the type that `derive` takes, because it is a value of the field `from`.
    derived.map((each) => [
      each,
      (DERIVED_FIELDS[each].derive as (...args: unknown[]) => unknown)(value, htmlVersion),
    ]),
  );
}

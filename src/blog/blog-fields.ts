import type { Bounds } from '../common/validation/text-length.js';
import { HTML_VERSION } from './html/clean-html.js';
import { SLUG_LENGTH_MAX } from './text/slug.js';
import { tagKeys, textWords } from './text/words.js';

/** A row of the table. Bounds count Unicode code points. */
export type BlogFieldRule = {
  /**
   * - `required`: the body of a new blog must hold it.
   * - `filled`: where the body of a new blog leaves it out, the server fills it in.
   * - `optional`: a blog may lack it; `null` in a body removes it.
   */
  readonly presence: 'required' | 'filled' | 'optional';
  /** Of the field in a request. */
  readonly description?: string;
} & (
  | ({ readonly kind: 'text'; readonly example: string } & Bounds)
  /** An article: published as `text` beside `live`, and in no list. `cleaned` is what it may hold then. */
  | ({ readonly kind: 'html'; readonly example: string; readonly cleaned: Bounds } & Bounds)
  | { readonly kind: 'slug'; readonly example: string; readonly max: number }
  /** An http or https URL, bounded by `HttpUrl`. */
  | { readonly kind: 'address'; readonly example: string }
  /** At most `items` tags; the bounds are those of each. */
  | ({
      readonly kind: 'tags';
      readonly example: readonly string[];
      readonly items: number;
    } & Bounds)
);

/**
 * Every field of a blog that its author writes. Schema, moves, projections, views, inputs and
 * migration follow from this table, or do not compile without what it asks for:
 *
 * - stored twice, in the working copy and under `live` as published; an `html` field as `text`;
 * - copied to `live` by `publish` and back by `discard`;
 * - shown to author, editor and readers, in articles and in lists; an `html` field in articles only.
 */
export const BLOG_FIELDS = {
  title: {
    kind: 'text',
    presence: 'required',
    min: 3,
    max: 500,
    example: 'Notes on the Analytical Engine',
  },
  description: {
    kind: 'text',
    presence: 'required',
    min: 3,
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
  slug: {
    kind: 'slug',
    presence: 'filled',
    max: SLUG_LENGTH_MAX,
    example: 'notes-on-the-analytical-engine',
    description: 'Normalised: lower case, blanks to -; made from the title when left out',
  },
  tags: {
    kind: 'tags',
    presence: 'filled',
    items: 20,
    min: 1,
    max: 50,
    example: ['history', 'computing'],
  },
  imgUrl: {
    kind: 'address',
    presence: 'optional',
    example: 'https://example.org/engine.png',
  },
} as const satisfies Record<string, BlogFieldRule>;

/** Enough to tell what a text is about; bounds the index and the scoring of similar blogs. */
const TITLE_WORDS = 20;
const DESCRIPTION_WORDS = 40;

interface DerivedRule {
  readonly from: BlogFieldName;
  readonly type: typeof Number | readonly [typeof String];
  readonly derive: (value: never) => unknown;
}

/**
 * What is stored beside a field, and written whenever that field is. It is published with its field;
 * `htmlVersion` speaks for the draft and the published text alike.
 */
export const DERIVED_FIELDS = {
  /** Candidates for similar blogs come from their index once live. */
  titleWords: {
    from: 'title',
    type: [String],
    derive: (title: string) => textWords(title, TITLE_WORDS),
  },
  /** With the words of the title they score similar blogs. */
  descriptionWords: {
    from: 'description',
    type: [String],
    derive: (description: string) => textWords(description, DESCRIPTION_WORDS),
  },
  /** The sanitiser policy that cleaned the text. */
  htmlVersion: { from: 'draftText', type: Number, derive: () => HTML_VERSION },
  /** The tags as they are matched: NFKC, lower case. */
  tagKeys: { from: 'tags', type: [String], derive: tagKeys },
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

/** The fields that are published under `live`. */
export type LiveField = Exclude<BlogFieldName, HtmlField>;
type LiveDerivedField = {
  [Name in DerivedFieldName]: DerivedRules[Name]['from'] extends LiveField ? Name : never;
}[DerivedFieldName];

/** @typeParam Html what an `html` field holds: any text, or `CleanHtml` */
export type ValueOf<Name extends BlogFieldName, Html> = Name extends HtmlField
  ? Html
  : Rules[Name]['kind'] extends 'tags'
    ? readonly string[]
    : string;

type Stored<Name extends BlogFieldName, Html> = {
  readonly [Always in Exclude<Name, OptionalField>]: ValueOf<Always, Html>;
} & {
  readonly [Optional in Extract<Name, OptionalField>]?: ValueOf<Optional, Html>;
};

type Derived<Name extends DerivedFieldName> = {
  readonly [Each in Name]: Readonly<ReturnType<DerivedRules[Each]['derive']>>;
};

/** The working copy as it is stored, with what is derived from it. */
export type StoredWorkingCopy<Html = string> = Stored<BlogFieldName, Html> &
  Derived<DerivedFieldName>;

/** The fields under `live` as they are stored, with what is derived from them. */
export type StoredLiveFields = Stored<LiveField, string> & Derived<LiveDerivedField>;

/** What an edit stores; `null` removes the field. */
export type WorkingCopyChanges<Html = string> = Partial<
  {
    readonly [Name in BlogFieldName]:
      ValueOf<Name, Html> | (Name extends OptionalField ? null : never);
  } & Derived<DerivedFieldName>
>;

/** The fields of a view. Every key must be named, so that a mapper cannot forget one. */
export type ViewFields = {
  readonly [Name in LiveField]:
    ValueOf<Name, string> | (Name extends OptionalField ? undefined : never);
};

/** The fields of the body of a new blog. */
export type NewBlogBody = {
  readonly [Name in RequiredField]: ValueOf<Name, string>;
} & {
  readonly [Name in Exclude<BlogFieldName, RequiredField>]?:
    ValueOf<Name, string> | (Name extends OptionalField ? null : never) | undefined;
};

export function ruleOf(name: BlogFieldName): BlogFieldRule {
  return BLOG_FIELDS[name];
}

export const FIELD_NAMES = Object.keys(BLOG_FIELDS) as readonly BlogFieldName[];

export const LIVE_FIELDS = FIELD_NAMES.filter(
  (name): name is LiveField => ruleOf(name).kind !== 'html',
);

export const DERIVED_NAMES = Object.keys(DERIVED_FIELDS) as readonly DerivedFieldName[];

export const LIVE_DERIVED_FIELDS = DERIVED_NAMES.filter((name): name is LiveDerivedField =>
  (LIVE_FIELDS as readonly string[]).includes(DERIVED_FIELDS[name].from),
);

/** What `publish` copies to `live`, and `discard` back. */
export const LIVE_COPY: readonly (keyof StoredLiveFields)[] = [
  ...LIVE_FIELDS,
  ...LIVE_DERIVED_FIELDS,
];

import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import {
  Schema as MongooseSchema,
  SchemaTypes,
  type HydratedDocument,
  type SchemaDefinition,
  type Types,
} from 'mongoose';
import {
  DERIVED_FIELDS,
  DERIVED_NAMES,
  FIELD_NAMES,
  LIVE_COPY,
  ruleOf,
  type BlogFieldName,
  type DerivedFieldName,
  type StoredLiveFields,
  type StoredWorkingCopy,
} from './blog-fields.js';
import { BlogEventSchema, type BlogEvent } from './events/blog-event.schema.js';

/** What readers see besides `text`, as long as both flags allow it. */
export type LiveBlog = StoredLiveFields & {
  /** First publication; orders the public lists. */
  readonly at: Date;
};

function columnOf(name: BlogFieldName | DerivedFieldName): object {
  if (isDerived(name)) return { type: DERIVED_FIELDS[name].type, required: true };
  const { kind, presence } = ruleOf(name);
  return { type: kind === 'tags' ? [String] : String, required: presence !== 'optional' };
}

function isDerived(name: string): name is DerivedFieldName {
  return Object.hasOwn(DERIVED_FIELDS, name);
}

function columnsOf(names: readonly (BlogFieldName | DerivedFieldName)[]): SchemaDefinition {
  return Object.fromEntries(names.map((name) => [name, columnOf(name)]));
}

const LiveSchema = new MongooseSchema<LiveBlog>(
  { at: { type: Date, required: true }, ...columnsOf(LIVE_COPY) },
  { _id: false, strict: 'throw' },
);

/** The fields of the table BLOG_FIELDS, and what is derived from them; added to the schema below. */
const WorkingCopyFields = class {} as new () => StoredWorkingCopy;

/**
 * One document per blog (docs/adr/0002). The fields at the top are the working copy, which is always
 * complete; `live` and `text` are what readers see. Public queries filter on `live.*`, `status` and
 * `published`, and project only `live.*`, `text`, `score` and `author`. So no pending value can leak.
 */
@Schema({
  collection: 'blogs',
  timestamps: true,
  versionKey: false,
  strict: 'throw',
  strictQuery: 'throw',
})
export class Blog extends WorkingCopyFields {
  readonly _id!: Types.ObjectId;

  /** Cleaned HTML of the last published version; stays when the blog is taken down. */
  @Prop({ type: String })
  readonly text?: string;

  @Prop({ type: Date })
  readonly publishedAt?: Date;

  @Prop({ type: LiveSchema })
  readonly live?: LiveBlog;

  /** The working slug and the live one; `[]` once deleted. Unique over all blogs. */
  @Prop({ type: [String], required: true })
  readonly slugs!: readonly string[];

  @Prop({ type: Boolean, required: true })
  readonly submitted!: boolean;

  @Prop({ type: Boolean, required: true })
  readonly drafted!: boolean;

  @Prop({ type: Boolean, required: true })
  readonly published!: boolean;

  /** False once deleted. */
  @Prop({ type: Boolean, default: true })
  readonly status!: boolean;

  @Prop({ type: Date })
  readonly deletedAt?: Date;

  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly author!: Types.ObjectId;

  /** True once the author's account is gone: no request of theirs changes the blog any more. */
  @Prop({ type: Boolean })
  readonly authorLeft?: boolean;

  @Prop({ type: SchemaTypes.ObjectId })
  readonly createdBy?: Types.ObjectId;

  @Prop({ type: SchemaTypes.ObjectId })
  readonly updatedBy?: Types.ObjectId;

  @Prop({ type: Number, required: true })
  readonly score!: number;

  /** Counted up with every write; the ETag of author and editor views. */
  @Prop({ type: Number, required: true })
  readonly rev!: number;

  /** What happened to the blog and is not in `blog_events` yet (docs/adr/0009). */
  @Prop({ type: [BlogEventSchema], default: undefined })
  readonly events?: readonly BlogEvent[];

  /** True in a tombstone, which has no other field but `_id` and `events`. */
  @Prop({ type: Boolean })
  readonly removed?: true;

  readonly createdAt!: Date;
  readonly updatedAt!: Date;
}

export type BlogDocument = HydratedDocument<Blog>;

/** The score of a new blog. */
export const INITIAL_SCORE = 0.01;

/** An expression of an aggregation. A text of a user's stands in one only as `$literal`. */
type Expression = `$${string}` | { readonly [operator: `$${string}`]: unknown };

type Settable<Value> = Expression | Exclude<Value, string>;

/** A stage of an update pipeline on blogs. A new `live` names every field of it. */
export type UpdateStage =
  | { readonly $unset: 'live' }
  | {
      readonly $set: {
        readonly [Name in Exclude<keyof Blog, 'live'>]?: Settable<Blog[Name]>;
      } & {
        readonly live?: { readonly [Name in keyof LiveBlog]-?: Settable<LiveBlog[Name]> };
      };
    };

/** A filter on blogs. It reaches the database as it is, without the casts of Mongoose. */
export type BlogFilter = {
  readonly [Path in keyof Blog | `live.${keyof LiveBlog}`]?: unknown;
} & { readonly $or?: readonly BlogFilter[] };

export const BlogSchema = SchemaFactory.createForClass(Blog);
BlogSchema.add(columnsOf([...FIELD_NAMES, ...DERIVED_NAMES]));

/**
 * What both flags allow readers to see: `live` alone does not tell, because an older server and an
 * operator take a blog down by a flag. Plain equality, and a key of every index of public lists, so
 * that deep skips and counts never fetch.
 */
export const IS_PUBLIC = { status: true, published: true } as const;

const HAS_LIVE = { 'live.at': { $gt: new Date(0) } };

/**
 * Every public blog. The index of the latest serves a query only if it says `live.at`; so a query
 * that has an index of its own says no more than IS_PUBLIC, or MongoDB may take the wrong one of two
 * that serve.
 */
export const IS_LIVE = { ...IS_PUBLIC, ...HAS_LIVE };

/** Blogs whose author's account was not deleted; null matches what is missing. */
export const HAS_AUTHOR = { authorLeft: null } as const;

const PUBLIC_KEYS = { status: 1, published: 1 } as const;
const NEWEST_KEYS = { 'live.at': -1, _id: -1 } as const;

/** The keys of the indexes that public reads name as their hint. */
export const SLUG_INDEX = { slugs: 1 } as const;
export const LATEST_INDEX = { ...PUBLIC_KEYS, ...NEWEST_KEYS } as const;
export const TAG_INDEX = { 'live.tagKeys': 1, ...PUBLIC_KEYS, ...NEWEST_KEYS } as const;

/** Records with events that the relay has not stored yet, tombstones included. */
export const HAS_EVENTS = { 'events.0.at': { $gt: new Date(0) } };

/** By the oldest of them; it stays where it is when a blog is changed again before the relay runs. */
export const EVENTS_INDEX = { 'events.0.at': 1 } as const;

// Reads by slug; one owner per slug, over working and live slugs. `$gt: ''` skips missing, null
// and `[]`, so deleted blogs do not collide.
BlogSchema.index(SLUG_INDEX, { unique: true, partialFilterExpression: { slugs: { $gt: '' } } });
// Latest.
BlogSchema.index(LATEST_INDEX, { partialFilterExpression: HAS_LIVE });
// By tag; candidates for similar blogs. Every text is at least '', so asking for a tag is enough.
BlogSchema.index(TAG_INDEX, { partialFilterExpression: { 'live.tagKeys': { $gte: '' } } });
// Candidates for similar blogs by words of the title.
BlogSchema.index(
  { 'live.titleWords': 1, ...PUBLIC_KEYS, ...NEWEST_KEYS },
  { partialFilterExpression: { 'live.titleWords': { $gte: '' } } },
);
// The author's own lists, one per flag.
BlogSchema.index(
  { author: 1, drafted: 1, updatedAt: -1, _id: -1 },
  { partialFilterExpression: { drafted: true } },
);
BlogSchema.index(
  { author: 1, submitted: 1, updatedAt: -1, _id: -1 },
  { partialFilterExpression: { submitted: true } },
);
// Of all their blogs: what was never published goes with its author, deleted ones as well.
BlogSchema.index({ author: 1, published: 1, updatedAt: -1, _id: -1 });
// The editors' lists.
BlogSchema.index(
  { submitted: 1, updatedAt: -1, _id: -1 },
  { partialFilterExpression: { submitted: true } },
);
BlogSchema.index(
  { published: 1, updatedAt: -1, _id: -1 },
  { partialFilterExpression: { published: true } },
);
// What the relay has to do.
BlogSchema.index(EVENTS_INDEX, { partialFilterExpression: HAS_EVENTS });

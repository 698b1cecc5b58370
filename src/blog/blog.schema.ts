import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema, SchemaTypes, type SchemaDefinition, type Types } from 'mongoose';
import { STRICT } from '../database/strict-schema.js';
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

/** The live version: what readers see of a blog, together with `text`. */
export type LiveBlog = StoredLiveFields & {
  /** The time of the first publication. The public lists are in this order. */
  readonly at: Date;
};

function pathOf(name: BlogFieldName | DerivedFieldName): object {
  if (name in DERIVED_FIELDS) {
    return { type: DERIVED_FIELDS[name as DerivedFieldName].type, required: true };
  }
  const { kind, presence } = ruleOf(name as BlogFieldName);
  return { type: kind === 'tags' ? [String] : String, required: presence !== 'optional' };
}

/** Schema paths for fields of the tables in `blog-fields.ts`. */
function pathsOf(names: readonly (BlogFieldName | DerivedFieldName)[]): SchemaDefinition {
  return Object.fromEntries(names.map((name) => [name, pathOf(name)]));
}

const LiveSchema = new MongooseSchema<LiveBlog>(
  { at: { type: Date, required: true }, ...pathsOf(LIVE_COPY) },
  { _id: false, strict: 'throw' },
);

/**
 * The base class gives `Blog` the types of the fields in `blog-fields.ts`. It has no `@Prop`: the paths
 * of those fields are added to the schema below.
 */
const WorkingCopyFields = class {} as new () => StoredWorkingCopy;

/**
 * One document per blog (docs/adr/0002). The inherited fields are the working copy, which is always
 * complete. Readers see `live` and `text`. Public queries filter on `live.*`, `status` and `published`
 * only, and project none of the working copy, so readers never see an unpublished value.
 */
@Schema({ collection: 'blogs', timestamps: true, ...STRICT })
export class Blog extends WorkingCopyFields {
  readonly _id!: Types.ObjectId;

  /** Cleaned HTML of the last published version; kept when the blog is unpublished. */
  @Prop({ type: String })
  readonly text?: string;

  @Prop({ type: Date })
  readonly publishedAt?: Date;

  @Prop({ type: LiveSchema })
  readonly live?: LiveBlog;

  /** The slugs of the working copy and of the live version; `[]` once deleted. Each is unique. */
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

  /** True once the author's account is deleted: their requests no longer find the blog. */
  @Prop({ type: Boolean })
  readonly authorLeft?: boolean;

  @Prop({ type: SchemaTypes.ObjectId })
  readonly createdBy?: Types.ObjectId;

  @Prop({ type: SchemaTypes.ObjectId })
  readonly updatedBy?: Types.ObjectId;

  @Prop({ type: Number, required: true })
  readonly score!: number;

  /** The revision: every write increments it. The ETag of author and editor views. */
  @Prop({ type: Number, required: true })
  readonly rev!: number;

  /** The events that the relay has not moved to `blog_events` yet (docs/adr/0009). */
  @Prop({ type: [BlogEventSchema], default: undefined })
  readonly events?: readonly BlogEvent[];

  /** True in a tombstone: what is left of a removed blog, with `_id` and `events` only. */
  @Prop({ type: Boolean })
  readonly removed?: true;

  readonly createdAt!: Date;
  readonly updatedAt!: Date;
}

/** The score of a new blog. */
export const INITIAL_SCORE = 0.01;

/** An aggregation expression. In one, a user's text must be a `$literal`. */
type Expression = `$${string}` | { readonly [operator: `$${string}`]: unknown };

/** Excludes plain strings: MongoDB would read one that begins with `$` as a path. */
type Settable<Value> = Expression | Exclude<Value, string>;

/** A stage of an update pipeline on blogs. A stage that sets `live` must set all its fields. */
export type UpdateStage =
  | { readonly $unset: 'live' }
  | {
      readonly $set: {
        readonly [Name in Exclude<keyof Blog, 'live'>]?: Settable<Blog[Name]>;
      } & {
        readonly live?: { readonly [Name in keyof LiveBlog]-?: Settable<LiveBlog[Name]> };
      };
    };

/** A filter on blogs. The driver casts no values, so an id must be an ObjectId. */
export type BlogFilter = {
  readonly [Path in keyof Blog | `live.${keyof LiveBlog}`]?: unknown;
} & { readonly $or?: readonly BlogFilter[] };

export const BlogSchema = SchemaFactory.createForClass(Blog);
BlogSchema.add(pathsOf([...FIELD_NAMES, ...DERIVED_NAMES]));

/**
 * The flags of a public blog. A blog with `live` is not always public: an older server, or an
 * operator, hides a blog by a flag and leaves `live` stored. Both flags are keys of every index for
 * public lists, so skips and counts read the index only.
 */
export const IS_PUBLIC = { status: true, published: true } as const;

const HAS_LIVE = { 'live.at': { $gt: new Date(0) } };

/**
 * Every public blog, for queries that use LATEST_INDEX: a partial index, which MongoDB uses only if
 * the query contains its filter on `live.at`. A query that is meant for another index filters by
 * IS_PUBLIC instead, so that MongoDB does not choose LATEST_INDEX.
 */
export const IS_LIVE = { ...IS_PUBLIC, ...HAS_LIVE };

/** Blogs whose author's account was not deleted. `null` also matches a missing field. */
export const HAS_AUTHOR = { authorLeft: null } as const;

const PUBLIC_KEYS = { status: 1, published: 1 } as const;
const NEWEST_KEYS = { 'live.at': -1, _id: -1 } as const;

/** The keys of the indexes that public reads name as their hint. */
export const SLUG_INDEX = { slugs: 1 } as const;
export const LATEST_INDEX = { ...PUBLIC_KEYS, ...NEWEST_KEYS } as const;
export const TAG_INDEX = { 'live.tagKeys': 1, ...PUBLIC_KEYS, ...NEWEST_KEYS } as const;

/** Blogs, and tombstones, with events that the relay has not moved to `blog_events` yet. */
export const HAS_EVENTS = { 'events.0.at': { $gt: new Date(0) } };

/** Indexes the oldest event only, so that a further event of the blog does not change the index. */
export const EVENTS_INDEX = { 'events.0.at': 1 } as const;

// For reads by slug; makes slugs unique. `$gt: ''` leaves out missing, null and `[]`, so deleted blogs
// do not conflict with each other.
BlogSchema.index(SLUG_INDEX, { unique: true, partialFilterExpression: { slugs: { $gt: '' } } });
// For the list of the latest blogs.
BlogSchema.index(LATEST_INDEX, { partialFilterExpression: HAS_LIVE });
// For lists by tag, and for candidates for similar blogs. Every string is at least '', so MongoDB can
// use the index for any tag.
BlogSchema.index(TAG_INDEX, { partialFilterExpression: { 'live.tagKeys': { $gte: '' } } });
// For candidates for similar blogs, by words of the title.
BlogSchema.index(
  { 'live.titleWords': 1, ...PUBLIC_KEYS, ...NEWEST_KEYS },
  { partialFilterExpression: { 'live.titleWords': { $gte: '' } } },
);
// For an author's lists of drafts and of submitted blogs.
BlogSchema.index(
  { author: 1, drafted: 1, updatedAt: -1, _id: -1 },
  { partialFilterExpression: { drafted: true } },
);
BlogSchema.index(
  { author: 1, submitted: 1, updatedAt: -1, _id: -1 },
  { partialFilterExpression: { submitted: true } },
);
// For an author's published blogs, and to remove the unpublished ones when the account is deleted.
BlogSchema.index({ author: 1, published: 1, updatedAt: -1, _id: -1 });
// For the editors' lists.
BlogSchema.index(
  { submitted: 1, updatedAt: -1, _id: -1 },
  { partialFilterExpression: { submitted: true } },
);
BlogSchema.index(
  { published: 1, updatedAt: -1, _id: -1 },
  { partialFilterExpression: { published: true } },
);
// For the relay.
BlogSchema.index(EVENTS_INDEX, { partialFilterExpression: HAS_EVENTS });

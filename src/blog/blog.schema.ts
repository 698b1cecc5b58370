import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema, SchemaTypes, type HydratedDocument, type Types } from 'mongoose';
import { BlogEventSchema, type BlogEvent } from './events/blog-event.schema.js';

/** What readers see besides `text`, as long as both flags allow it. */
export interface LiveBlog {
  /** First publication; orders the public lists. */
  readonly at: Date;
  readonly title: string;
  readonly description: string;
  readonly slug: string;
  readonly tags: readonly string[];
  readonly tagKeys: readonly string[];
  readonly titleWords: readonly string[];
  readonly descriptionWords: readonly string[];
  readonly imgUrl?: string;
}

const LiveSchema = new MongooseSchema<LiveBlog>(
  {
    at: { type: Date, required: true },
    title: { type: String, required: true },
    description: { type: String, required: true },
    slug: { type: String, required: true },
    tags: { type: [String], required: true },
    tagKeys: { type: [String], required: true },
    titleWords: { type: [String], required: true },
    descriptionWords: { type: [String], required: true },
    imgUrl: { type: String },
  },
  { _id: false, strict: 'throw' },
);

/**
 * One document per blog (docs/adr/0002): the fields at the top are the working copy, always
 * complete; `live` with `text` is what readers see. Public queries filter on `live.*`, `status` and
 * `published`, and project only `live.*`, `text`, `score` and `author`, so a pending value cannot
 * leak.
 */
@Schema({
  collection: 'blogs',
  timestamps: true,
  versionKey: false,
  strict: 'throw',
  strictQuery: 'throw',
})
export class Blog {
  readonly _id!: Types.ObjectId;

  @Prop({ type: String, required: true })
  readonly title!: string;

  @Prop({ type: String, required: true })
  readonly description!: string;

  /** Cleaned HTML of the working copy. */
  @Prop({ type: String, required: true })
  readonly draftText!: string;

  @Prop({ type: String, required: true })
  readonly slug!: string;

  @Prop({ type: [String], required: true })
  readonly tags!: readonly string[];

  /** The tags as they are matched: NFKC, lower case. */
  @Prop({ type: [String], required: true })
  readonly tagKeys!: readonly string[];

  /** Words of the title; candidates for similar blogs come from their index once live. */
  @Prop({ type: [String], required: true })
  readonly titleWords!: readonly string[];

  /** Words of the description; with those of the title they score similar blogs. */
  @Prop({ type: [String], required: true })
  readonly descriptionWords!: readonly string[];

  @Prop({ type: String })
  readonly imgUrl?: string;

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

  /** The sanitiser policy that cleaned `draftText` and `text`. */
  @Prop({ type: Number, required: true })
  readonly htmlVersion!: number;

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
export const BlogSchema = SchemaFactory.createForClass(Blog);

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

import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema, SchemaTypes, type SchemaDefinition, type Types } from 'mongoose';
import { STRICT } from '../../platform/database/strict-schema.js';
import {
  DERIVED_FIELDS,
  DERIVED_NAMES,
  FIELD_NAMES,
  LIVE_COPY,
  ruleOf,
  type BlogFieldName,
  type DerivedFieldName,
  type DerivedRule,
  type StoredLiveFields,
  type StoredWorkingCopy,
} from './blog-fields.js';
import { addBlogIndexes, HAS_LIVE, HAS_TRASH_TIME } from './blog.indexes.js';
import { BlogEventSchema, type BlogEvent } from '../history/blog-event.schema.js';
import {
  BlogReturnSchema,
  ScheduleSchema,
  type BlogReturn,
  type Schedule,
} from './review.schema.js';
import type { Cover } from '../media/cover/cover.js';
import { SHOWN_PICTURE_PATHS } from '../../platform/picture/shown-picture.schema.js';
import { PublicChangeSchema, type PublicChange } from '../public/counts/public-change.schema.js';
import { RevisionEntrySchema, type RevisionEntry } from '../revisions/store/revision-entry.js';

/** The live version: what readers see of a blog, together with `text`. */
export type LiveBlog = StoredLiveFields & {
  /** The time of the first publication, by which the public lists are sorted. */
  readonly at: Date;
  /** The time of the latest publication: what readers see has not changed since. */
  readonly updatedAt: Date;
  /**
   * The words by which a search finds the blog (src/blog/public/search/index). A search reads the
   * field only if the index on it is missing.
   */
  readonly words?: readonly string[];
};

const COVER_SCHEMA = new MongooseSchema<Cover>(
  { ...SHOWN_PICTURE_PATHS, alt: { type: String, default: '' } },
  { _id: false, strict: 'throw' },
);

function pathOf(name: BlogFieldName | DerivedFieldName): object {
  if (name in DERIVED_FIELDS) {
    const { type, optional }: DerivedRule = DERIVED_FIELDS[name as DerivedFieldName];
    return optional ? { type, default: undefined } : { type, required: true };
  }
  const { kind, presence } = ruleOf(name as BlogFieldName);
  if (kind === 'picture') return { type: COVER_SCHEMA };
  return { type: kind === 'tags' ? [String] : String, required: presence !== 'optional' };
}

/** Schema paths for fields of the tables in `blog-fields.ts`. */
function pathsOf(names: readonly (BlogFieldName | DerivedFieldName)[]): SchemaDefinition {
  return Object.fromEntries(names.map((name) => [name, pathOf(name)]));
}

const LiveSchema = new MongooseSchema<LiveBlog>(
  {
    at: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    // The words are never selected by Mongoose: there may be 2,000 of them.
    words: { type: [String], default: undefined, select: false },
    ...pathsOf(LIVE_COPY),
  },
  { _id: false, strict: 'throw' },
);

/**
 * The base class gives `Blog` the types of the fields in `blog-fields.ts`. It has no `@Prop`: the paths
 * of those fields are added to the schema below.
 */
const WorkingCopyFields = class {} as new () => StoredWorkingCopy;

/**
 * One document per blog (docs/adr/0002). The inherited fields are the working copy, which is always
 * complete. Readers see `live` and `text`. Public queries find public blogs only (see IS_PUBLIC), and
 * project none of the working copy, so readers never see an unpublished value.
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

  /**
   * The slugs of the working copy and of the live version, and the former slugs; `[]` once the blog
   * is deleted. No two blogs have the same slug.
   */
  @Prop({ type: [String], required: true })
  readonly slugs!: readonly string[];

  /**
   * The slugs of earlier live versions, newest first. A request for one of them is redirected to
   * the live slug.
   */
  @Prop({ type: [String], default: undefined })
  readonly formerSlugs?: readonly string[];

  /** The slug that the server made from the title; missing once another slug was given. */
  @Prop({ type: String })
  readonly generatedSlug?: string;

  /** The digest of the text that was made from `draftMarkdown` (see `markdownOf`). */
  @Prop({ type: String })
  readonly markdownDigest?: string;

  @Prop({ type: Boolean, required: true })
  readonly submitted!: boolean;

  @Prop({ type: Boolean, required: true })
  readonly drafted!: boolean;

  @Prop({ type: Boolean, required: true })
  readonly published!: boolean;

  /** False once the blog is deleted. */
  @Prop({ type: Boolean, default: true })
  readonly status!: boolean;

  @Prop({ type: Date })
  readonly deletedAt?: Date;

  /** When its author deleted the blog. Missing if a version without a trash deleted it. */
  @Prop({ type: Date })
  readonly trashedAt?: Date;

  /**
   * True while BlogPurgeService removes the blog. For a live blog whose author's account was
   * deleted, it only removes what was never published.
   */
  @Prop({ type: Boolean })
  readonly purging?: true;

  /** The time of the latest submission; kept when the blog is withdrawn, returned or published. */
  @Prop({ type: Date })
  readonly submittedAt?: Date;

  /**
   * Who has written something of the working copy since the last publication (see contributors.ts). Missing
   * in a record of an older version.
   */
  @Prop({ type: [SchemaTypes.ObjectId], default: undefined })
  readonly contributors?: readonly Types.ObjectId[];

  /** The revision number at which an ADMIN cleared the contributors. */
  @Prop({ type: Number })
  readonly contributorsSince?: number;

  /** The contributors of the latest submission; an older version stored who submitted and corrected it. */
  @Prop({ type: [SchemaTypes.ObjectId], default: undefined })
  readonly submitters?: readonly Types.ObjectId[];

  /** The contributors of the live version. */
  @Prop({ type: [SchemaTypes.ObjectId], default: undefined })
  readonly liveSubmitters?: readonly Types.ObjectId[];

  /**
   * The author's note to the editors with the latest submission; removed when the submission is
   * published.
   */
  @Prop({ type: String })
  readonly submissionNote?: string;

  @Prop({ type: BlogReturnSchema })
  readonly returned?: BlogReturn;

  /** The editor to whom the review is assigned, until the blog is published. */
  @Prop({ type: SchemaTypes.ObjectId })
  readonly assignedTo?: Types.ObjectId;

  @Prop({ type: ScheduleSchema })
  readonly schedule?: Schedule;

  /** The time of the next scheduled transition. */
  @Prop({ type: Date })
  readonly dueAt?: Date;

  /** The revisions that are kept, oldest first; missing in a record of an older version. */
  @Prop({ type: [RevisionEntrySchema], default: undefined })
  readonly revisions?: readonly RevisionEntry[];

  /**
   * A preview is valid while this number is the one that the preview was made with; missing means
   * 0.
   */
  @Prop({ type: Number })
  readonly previewGeneration?: number;

  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly author!: Types.ObjectId;

  /** True once the author's account is deleted: the author's requests no longer find the blog. */
  @Prop({ type: Boolean })
  readonly authorLeft?: boolean;

  @Prop({ type: SchemaTypes.ObjectId })
  readonly createdBy?: Types.ObjectId;

  @Prop({ type: SchemaTypes.ObjectId })
  readonly updatedBy?: Types.ObjectId;

  @Prop({ type: Number, required: true })
  readonly score!: number;

  /**
   * The revision number, which every write increments. It is the ETag of author and editor views.
   */
  @Prop({ type: Number, required: true })
  readonly rev!: number;

  /** The events that the outbox relay has not carried to `blog_events` yet (docs/adr/0009). */
  @Prop({ type: [BlogEventSchema], default: undefined })
  readonly events?: readonly BlogEvent[];

  /** The changes of derived records that are not folded into them yet (docs/adr/0018). */
  @Prop({ type: [PublicChangeSchema], default: undefined })
  readonly publicChanges?: readonly PublicChange[];

  /** True in a tombstone: what is left of a removed blog, with `_id` and `events` only. */
  @Prop({ type: Boolean })
  readonly removed?: true;

  /** Hash of the request that created the blog and its idempotency key, if the request sent a key. */
  @Prop({ type: String })
  readonly requestHash?: string;

  readonly createdAt!: Date;
  readonly updatedAt!: Date;
}

/** The score of a new blog. */
export const INITIAL_SCORE = 0.01;

/** An aggregation expression. A user's text in an expression must be wrapped in `$literal`. */
type Expression = `$${string}` | { readonly [operator: `$${string}`]: unknown };

/**
 * A value that an expression may set. Plain strings are excluded: MongoDB would read a string that
 * begins with `$` as a path.
 */
type Settable<Value> = Expression | Exclude<Value, string>;

/** A stage of an update pipeline on blogs. A stage that sets the fields of `live` must set all of them. */
export type UpdateStage =
  | { readonly $unset: keyof Blog }
  | {
      readonly $set: {
        readonly [Name in Exclude<keyof Blog, 'live'>]?: Settable<Blog[Name]>;
      } & {
        readonly live?:
          { readonly [Name in keyof LiveBlog]-?: Settable<LiveBlog[Name]> } | Expression;
      };
    };

/** A filter on blogs. The driver casts no values, so an id must be an ObjectId. */
export type BlogFilter = {
  readonly [
    Path in
      | keyof Blog
      | 'cover.media'
      | `live.${keyof LiveBlog | 'cover.media'}`
      | `schedule.${keyof Schedule}.${'at' | 'by' | 'passed'}`
  ]?: unknown;
} & {
  readonly $or?: readonly BlogFilter[];
  readonly $and?: readonly BlogFilter[];
  readonly $expr?: unknown;
};

export const BlogSchema = SchemaFactory.createForClass(Blog);
BlogSchema.add(pathsOf([...FIELD_NAMES, ...DERIVED_NAMES]));

/**
 * The flags of a public blog. A blog with `live` is not always public: an older server, or an
 * operator, hides a blog by a flag and leaves `live` stored. Both flags are keys of every index for
 * public lists, so skips and counts read the index only.
 */
export const IS_PUBLIC = { status: true, published: true } as const;

/**
 * Matches every public blog, for queries that use LATEST_INDEX. MongoDB uses this partial index
 * only if the query contains its partial filter, which is on `live.at`. A query that is meant for
 * another index filters by IS_PUBLIC instead, so that MongoDB does not choose LATEST_INDEX.
 */
export const IS_LIVE = { ...IS_PUBLIC, ...HAS_LIVE };

/**
 * Blogs in the trash. Blogs that an older version deleted have no `trashedAt`, and are not in the
 * trash.
 */
export const IN_TRASH = { status: false, ...HAS_TRASH_TIME } as const;

/** Matches every record except tombstones (see `removed`), for queries that read the whole collection. */
export const NOT_REMOVED = { removed: { $exists: false } } as const;

/** Blogs whose author's account was not deleted. `null` also matches a missing field. */
export const HAS_AUTHOR = { authorLeft: null } as const;

/** The blogs that an author reads and changes. */
export function ownBlogs(author: Types.ObjectId) {
  return { author, status: true, ...HAS_AUTHOR };
}

/** Blogs whose present content editors may read: submitted or live. */
export const IS_SHOWN_TO_EDITORS = {
  status: true,
  $or: [{ submitted: true }, { published: true }],
};

const EXISTS = { $exists: true } as const;

/** Blogs that were submitted at least once. A record of an older version has fewer of these fields. */
const WAS_SUBMITTED: BlogFilter = {
  $or: [
    { submitted: true },
    { submittedAt: EXISTS },
    { publishedAt: EXISTS },
    { live: EXISTS },
    { revisions: { $elemMatch: { rev: { $gte: 0 } } } },
  ],
};

/**
 * Blogs that were submitted at least once, even if they are drafts now. Editors read their revisions
 * and comment on them. Unpublished blogs of a former author are left out: they are about to be removed.
 */
export const IS_KNOWN_TO_EDITORS: BlogFilter = {
  status: true,
  $or: [{ published: true }, { ...HAS_AUTHOR, ...WAS_SUBMITTED }],
};

addBlogIndexes(BlogSchema);

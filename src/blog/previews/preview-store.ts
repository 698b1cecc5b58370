import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage, Types } from 'mongoose';
import { BY_ID } from '../../platform/database/query-hints.js';
import { removeMany } from '../trash/remove-many.js';
import { LIVE_FIELDS } from '../core/blog-fields.js';
import type { Blog } from '../core/blog.schema.js';
import { IS_LEAVING } from '../jobs/account-job.schema.js';
import { BlogPreview } from './blog-preview.schema.js';

/** The fields of a blog that a preview shows, and those that decide whether the preview is valid. */
const PREVIEWED_FIELDS = [
  ...LIVE_FIELDS,
  'draftText',
  'htmlVersion',
  'score',
  'author',
  'authorLeft',
  'submitted',
  'previewGeneration',
];

/** A preview with the records that it depends on. */
export interface FoundPreview extends BlogPreview {
  /** The blog as a list of one; empty when it, or the account of its author, was deleted. */
  readonly blogs: readonly Blog[];
  /** The enabled roles of the issuer; none when the account is disabled or deleted. */
  readonly roles: readonly { readonly code: string }[];
}

/** Stores previews. */
@Injectable()
export class PreviewStore {
  constructor(@InjectModel(BlogPreview.name) readonly previews: Model<BlogPreview>) {}

  async insert(preview: BlogPreview): Promise<void> {
    await this.previews.create(preview);
  }

  /**
   * Reads a preview with its blog and the roles of its issuer, in one query to the primary: a cache
   * or a secondary could show a preview that has ended.
   *
   * @param id the hash of the token
   */
  async find(id: string): Promise<FoundPreview | null> {
    const [found] = await this.previews
      .aggregate<FoundPreview>(withRecords(id), BY_ID)
      .read('primary');
    return found ?? null;
  }

  /** Counts the previews of a blog that were made in this generation and have not expired. */
  async countOpen({
    blog,
    generation,
    now,
  }: {
    readonly blog: Types.ObjectId;
    readonly generation: number;
    readonly now: Date;
  }): Promise<number> {
    return this.previews
      .countDocuments({ blog, generation, expiresAt: { $gt: now } })
      .read('primary');
  }

  /** Removes all previews of these blogs, whoever made them. The call may be repeated. */
  async removeAllOf(blogs: readonly Types.ObjectId[]): Promise<void> {
    await removeMany<BlogPreview>(this.previews, { blog: { $in: blogs } });
  }
}

function withRecords(_id: string): PipelineStage[] {
  return [
    { $match: { _id } },
    {
      $lookup: {
        from: 'blogs',
        localField: 'blog',
        foreignField: '_id',
        pipeline: [
          { $match: { status: true } },
          { $project: Object.fromEntries(PREVIEWED_FIELDS.map((name) => [name, 1])) },
          {
            $lookup: {
              from: 'account_jobs',
              localField: 'author',
              foreignField: 'from',
              pipeline: [{ $match: IS_LEAVING }],
              as: 'deletions',
            },
          },
          { $match: { deletions: [] } },
        ],
        as: 'blogs',
      },
    },
    {
      $lookup: {
        from: 'users',
        localField: 'issuer',
        foreignField: '_id',
        pipeline: [{ $match: { status: { $ne: false } } }, { $project: { roles: 1 } }],
        as: 'issuers',
      },
    },
    {
      $lookup: {
        from: 'roles',
        localField: 'issuers.roles',
        foreignField: '_id',
        pipeline: [{ $match: { status: { $ne: false } } }, { $project: { code: 1 } }],
        as: 'roles',
      },
    },
  ];
}

import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { IS_KNOWN_TO_EDITORS } from '../core/blog.schema.js';
import { BlogDiffService } from './diff/blog-diff.service.js';
import type { BlogDiffView } from '../core/views/blog-diff.view.js';
import { type PageQuery } from '../../platform/http/pagination/page-query.dto.js';
import { type EditorDiffQuery } from './dto/diff.query.js';
import { RevisionReader } from './revision-reader.service.js';
import type { RevisionItemView } from './views/revision-item.view.js';
import type { RevisionView } from './views/revision.view.js';

/**
 * Reads revisions for editors, who may read all of them, because each was submitted or live. Every
 * method throws BlogNotFoundError for a blog that is unknown or deleted, or was never submitted.
 */
@Injectable()
export class EditorRevisionsService {
  constructor(
    private readonly revisions: RevisionReader,
    private readonly diffs: BlogDiffService,
  ) {}

  /** A page of the revisions of a blog, newest first. */
  async list(id: Types.ObjectId, page: PageQuery): Promise<RevisionItemView[]> {
    return this.revisions.list(
      await this.revisions.blog({ _id: id, ...IS_KNOWN_TO_EDITORS }),
      page,
    );
  }

  /** @throws RevisionNotFoundError */
  async get(editor: Types.ObjectId, id: Types.ObjectId, rev: number): Promise<RevisionView> {
    const blog = await this.revisions.blog({ _id: id, ...IS_KNOWN_TO_EDITORS });
    return this.revisions.view(blog, rev, editor);
  }

  /**
   * Compares two revisions.
   *
   * @throws RevisionNotFoundError
   * @throws UnavailableError too many long texts are being compared or cleaned
   */
  async diff(
    editor: Types.ObjectId,
    id: Types.ObjectId,
    { from, to }: EditorDiffQuery,
  ): Promise<BlogDiffView> {
    const blog = await this.revisions.blog({ _id: id, ...IS_KNOWN_TO_EDITORS });
    const before = await this.revisions.fields(blog, from, editor);
    const after = await this.revisions.fields(blog, to, editor);
    return this.diffs.diff(before, after, editor);
  }
}

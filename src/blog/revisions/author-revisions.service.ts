import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { contributorsOfRevision } from '../contributors/contributors.js';
import { DraftTextError, SlugTakenError } from '../core/blog.errors.js';
import { ownBlogs } from '../core/blog.schema.js';
import { workingFields } from './store/revision-fields.js';
import type { EditorialBlogView } from '../core/views/editorial-blog.view.js';
import { FIELD_NAMES, OPTIONAL_FIELDS, type OptionalField } from '../core/blog-fields.js';
import { isUsableSlug, normalizeSlug } from '../core/text/slug.js';
import { BlogDiffService } from './diff/blog-diff.service.js';
import type { BlogDiffView } from '../core/views/blog-diff.view.js';
import { BlogAuthorService } from '../author/blog-author.service.js';
import type { IfMatch } from '../../platform/http/conditional/if-match.js';
import type { Revisioned } from '../../platform/http/conditional/revisioned.js';
import { type PageQuery } from '../../platform/http/pagination/page-query.dto.js';
import { UnusableRevisionError } from './blog-revisions.errors.js';
import { type AuthorDiffQuery } from './dto/diff.query.js';
import { WORKING } from './dto/revision-number.decorator.js';
import { RevisionReader } from './revision-reader.service.js';
import type { RevisionItemView } from './views/revision-item.view.js';
import type { RevisionView } from './views/revision.view.js';

/** The part of an edit that removes every optional field. */
const WITHOUT_OPTIONAL = Object.fromEntries(
  OPTIONAL_FIELDS.map((name) => [name, null]),
) as Readonly<Record<OptionalField, null>>;

/** The slug of a revision in the present normal form; none if nothing is left of it. */
function slugOf({ slug }: { readonly slug: string }): { readonly slug: string | undefined } {
  const normal = normalizeSlug(slug);
  return { slug: isUsableSlug(normal) ? normal : undefined };
}

/**
 * The revisions of an author's own blogs. Every method throws BlogNotFoundError for a blog that is
 * unknown, deleted or another author's.
 */
@Injectable()
export class AuthorRevisionsService {
  constructor(
    private readonly revisions: RevisionReader,
    private readonly diffs: BlogDiffService,
    private readonly blogs: BlogAuthorService,
  ) {}

  /** A page of the revisions of a blog, newest first. */
  async list(
    author: Types.ObjectId,
    id: Types.ObjectId,
    page: PageQuery,
  ): Promise<RevisionItemView[]> {
    return this.revisions.list(await this.revisions.blog({ _id: id, ...ownBlogs(author) }), page);
  }

  /** @throws RevisionNotFoundError */
  async get(author: Types.ObjectId, id: Types.ObjectId, rev: number): Promise<RevisionView> {
    const blog = await this.revisions.blog({ _id: id, ...ownBlogs(author) });
    return this.revisions.view(blog, rev, author);
  }

  /**
   * Compares a revision with another revision, or with the working copy.
   *
   * @throws RevisionNotFoundError
   * @throws UnavailableError too many long texts are being compared or cleaned
   */
  async diff(
    author: Types.ObjectId,
    id: Types.ObjectId,
    { from, to }: AuthorDiffQuery,
  ): Promise<BlogDiffView> {
    const blog = await this.revisions.blog({ _id: id, ...ownBlogs(author) }, [
      ...FIELD_NAMES,
      'htmlVersion',
    ]);
    const before = await this.revisions.fields(blog, from, author);
    const after =
      to === WORKING
        ? await this.revisions.serve(workingFields(blog), blog.htmlVersion, author)
        : await this.revisions.fields(blog, to, author);
    return this.diffs.diff(before, after, author);
  }

  /**
   * Makes a revision the working copy, by an edit of every field. The response warns of what the present
   * HTML policy removes from the text of the revision.
   *
   * @throws RevisionNotFoundError
   * @throws UnusableRevisionError the text is empty or too long under the present HTML policy
   * @throws what `BlogTransitionService.apply` throws; SlugTakenError if another blog has got the slug, unless an
   *   earlier version has stored it in another form: then the blog keeps the slug that it has now
   */
  async restore(
    author: Types.ObjectId,
    id: Types.ObjectId,
    rev: number,
    ifMatch: IfMatch,
  ): Promise<Revisioned<EditorialBlogView>> {
    const blog = await this.revisions.blog({ _id: id, ...ownBlogs(author) });
    const stored = await this.revisions.storedFields(blog, rev);
    const writers = contributorsOfRevision(blog.revisions ?? [], rev);
    const edit = { ...WITHOUT_OPTIONAL, ...stored, ...slugOf(stored) };
    const readStored = () => Promise.resolve(stored);
    const update = (slug: string | undefined) =>
      this.blogs.update(author, id, { ...edit, slug }, ifMatch, { writers }, readStored);
    try {
      return await update(edit.slug);
    } catch (error) {
      if (error instanceof SlugTakenError && edit.slug !== stored.slug) return update(undefined);
      throw error instanceof DraftTextError ? new UnusableRevisionError() : error;
    }
  }
}

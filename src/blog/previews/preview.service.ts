import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, Types } from 'mongoose';
import { SecretBox } from '../../auth/keys/secret-box.service.js';
import { BlogNotFoundError } from '../core/blog.errors.js';
import { Blog } from '../core/blog.schema.js';
import { stateOf } from '../core/blog.state.js';
import { BlogStore } from '../core/blog-store.js';
import { HtmlCleaner } from '../core/html/html-cleaner.js';
import type { BlogPreview, PreviewKind } from './blog-preview.schema.js';
import { PreviewStore } from './preview-store.js';
import { PictureAddresses } from '../media/serving/picture-addresses.service.js';
import { FormerAuthorService } from '../trash/former-author.service.js';
import { Clock } from '../../platform/clock.js';
import { parseDuration } from '../../platform/config/values/duration.js';
import { BY_ID } from '../../platform/database/query-hints.js';
import type { Creation } from '../../platform/idempotency/creation.js';
import { Idempotency } from '../../platform/idempotency/idempotency.service.js';
import {
  MAX_OPEN_PREVIEWS,
  NotInReviewError,
  PreviewNotFoundError,
  TooManyPreviewsError,
} from './blog-previews.errors.js';
import { DEFAULT_EXPIRES_IN, type CreatePreviewDto } from './dto/create-preview.dto.js';
import { PREVIEW_KINDS, shownBlog } from './preview-kinds.js';
import { hashPreviewToken, newPreviewToken } from './preview-token.js';
import type { NewPreviewView } from './views/new-preview.view.js';
import { toPreviewView, type PreviewView } from './views/preview.view.js';

/** Makes, reads and ends previews. Every read decides again what a preview shows. */
@Injectable()
export class PreviewService {
  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly store: BlogStore,
    private readonly previews: PreviewStore,
    private readonly html: HtmlCleaner,
    private readonly pictures: PictureAddresses,
    private readonly clock: Clock,
    private readonly box: SecretBox,
    private readonly idempotency: Idempotency,
    private readonly formerAuthors: FormerAuthorService,
  ) {}

  /**
   * Makes a preview, and stores the blog's `previewGeneration` in it. The end of all previews of the
   * blog increments that number, and so also ends a preview that is being made.
   *
   * @param creation the idempotency key, from which the token is derived, so that a repetition
   *   returns the same token; without it the token is random
   * @throws BlogNotFoundError also for a blog that the issuer may not read
   * @throws NotInReviewError for an editor's preview of a blog that is not in review
   * @throws TooManyPreviewsError
   * @throws PreviewNotFoundError for a repetition after the preview has ended
   */
  async create(
    kind: PreviewKind,
    issuer: Types.ObjectId,
    id: Types.ObjectId,
    { expiresIn = DEFAULT_EXPIRES_IN }: CreatePreviewDto,
    creation: Creation | null,
  ): Promise<NewPreviewView> {
    const { previewableBy, shows } = PREVIEW_KINDS[kind];
    await this.formerAuthors.settle(id);
    const blog = await this.blogs
      .findOne({ _id: id, ...previewableBy(issuer) } as QueryFilter<Blog>, null, BY_ID)
      .select(['author', 'authorLeft', 'submitted', 'drafted', 'published', 'previewGeneration'])
      .read('primary')
      .lean<Blog | null>();
    if (!blog) throw new BlogNotFoundError();

    const { previewGeneration: generation = 0 } = blog;
    const now = this.clock.now();
    // With an idempotency key there is one token per signing key. The first is for a new preview, the
    // others find a preview that was made under an earlier signing key.
    const secrets = creation ? this.box.derive('preview', creation) : [undefined];
    const tokens = secrets.map((bytes) => newPreviewToken(bytes));
    const ids = tokens.map(hashPreviewToken);
    const preview = await this.idempotency.once<BlogPreview>(creation, {
      records: this.previews.previews,
      visible: { _id: { $in: ids }, generation, expiresAt: { $gt: now } },
      insert: async ({ requestHash }) => {
        if (!shows(blog, issuer)) throw new NotInReviewError(stateOf(blog));
        const open = await this.previews.countOpen({ blog: id, generation, now });
        if (open >= MAX_OPEN_PREVIEWS) throw new TooManyPreviewsError();
        const newPreview: BlogPreview = {
          _id: ids[0] ?? '',
          blog: id,
          issuer,
          kind,
          generation,
          createdAt: now,
          ...(requestHash === undefined ? {} : { requestHash }),
          expiresAt: new Date(now.getTime() + parseDuration(expiresIn)),
        };
        await this.previews.insert(newPreview);
        return newPreview;
      },
      gone: () => new PreviewNotFoundError(),
      // `once` need not delete the new preview if all previews of the blog are ended meanwhile: the
      // preview then has an old generation.
      expires: true,
    });
    // The RemovedRecord is stored before the preview ends, so that a late repetition of the request
    // learns that it has ended.
    if (creation) await this.idempotency.storeRemoved(creation, preview.expiresAt);
    return { token: tokens[ids.indexOf(preview._id)] ?? '', expiresAt: preview.expiresAt };
  }

  /**
   * Ends all previews of a blog, whoever made them.
   *
   * @throws BlogNotFoundError also for a blog that the caller may not read
   */
  async endAll(kind: PreviewKind, caller: Types.ObjectId, id: Types.ObjectId): Promise<void> {
    await this.formerAuthors.settle(id);
    const hasEnded = await this.store.endPreviews({
      _id: id,
      ...PREVIEW_KINDS[kind].previewableBy(caller),
    });
    if (!hasEnded) throw new BlogNotFoundError();
    await this.previews.removeAllOf([id]);
  }

  /**
   * Reads what a preview shows. Every failure gives the same error after the same query, so that
   * nobody learns which tokens exist.
   *
   * @throws PreviewNotFoundError
   */
  async read(token: string): Promise<PreviewView> {
    const preview = await this.previews.find(hashPreviewToken(token));
    const blog = preview && shownBlog(preview, this.clock.now());
    if (!blog) throw new PreviewNotFoundError();
    const { draftText, htmlVersion } = blog;
    const html = await this.html.servedText({ text: draftText, htmlVersion });
    // The pictures end with the preview.
    const addressed = { id: preview._id, expiresAt: preview.expiresAt };
    const text = this.pictures.unpublished(html, addressed);
    return toPreviewView(blog, text, this.pictures.signedLinks(addressed));
  }
}

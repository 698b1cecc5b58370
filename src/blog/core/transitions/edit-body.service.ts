import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, Types } from 'mongoose';
import { Env } from '../../../platform/config/env.js';
import { BY_ID } from '../../../platform/database/query-hints.js';
import type { FieldWarning } from '../../../platform/http/envelope/envelope.js';
import { hasLength } from '../../../platform/http/validation/text-length.js';
import { InvalidBodyError } from '../../../platform/http/errors/api.errors.js';
import {
  BLOG_FIELDS,
  FIELD_NAMES,
  toWorkingCopy,
  type NewBlogBody,
  type WorkingCopyChanges,
} from '../blog-fields.js';
import { DraftTextError, ForeignIdError } from '../blog.errors.js';
import { Blog, type BlogFilter } from '../blog.schema.js';
import { checkedFields, htmlProblem, type PlainFields } from '../dto/checked-fields.js';
import { UpdateBlogDto } from '../dto/update-blog.dto.js';
import type { CleanHtml } from '../html/clean-html.js';
import { HtmlCleaner } from '../html/html-cleaner.js';
import { slugCandidates, slugFromTitle } from '../text/slug.js';
import { reservedSlugs, type IsReserved } from '../text/slugs/reserved-slugs.js';
import { MarkdownConverter } from '../markdown/markdown-converter.js';
import type { Cover, CoverChoice } from '../../media/cover/cover.js';
import { PictureAddresses } from '../../media/serving/picture-addresses.service.js';
import { DraftPictures } from '../../media/use/draft-pictures.service.js';

/** The fields of a blog that an edit may repeat. */
export type StoredFields = Omit<PlainFields, 'cover'> & {
  readonly draftText?: string | undefined;
  readonly cover?: Cover | null | undefined;
};

/** What a body says of the picture of the article: one of the library, or one that is elsewhere. */
interface PictureInput {
  readonly imgUrl?: string | null | undefined;
  readonly cover?: CoverChoice | null | undefined;
}

/** The picture of the article as it is stored. Without a picture in the body, nothing of it changes. */
interface PreparedPicture {
  readonly imgUrl?: string | null | undefined;
  readonly cover?: Cover | null;
}

const NOTHING_STORED = (): Promise<StoredFields> => Promise.resolve({});

interface Edit {
  readonly changes: WorkingCopyChanges<CleanHtml>;
  readonly warnings: readonly FieldWarning[];
}

/** The text of a body. A DTO accepts only one of the two. */
interface TextInput {
  readonly draftText?: string | undefined;
  /** The Markdown from which the text is made. `null` removes it, and the text stays as it is. */
  readonly draftMarkdown?: string | null | undefined;
}

/** The text as it is stored, and what the author should know about it. */
interface PreparedText {
  readonly draftText: CleanHtml;
  /** null if the text was not made from Markdown. */
  readonly draftMarkdown: string | null;
  readonly warnings: readonly FieldWarning[];
}

/** Prepares the body of a request that writes an article. */
@Injectable()
export class EditBodyService {
  private readonly isReserved: IsReserved;

  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly html: HtmlCleaner,
    private readonly markdown: MarkdownConverter,
    private readonly pictures: DraftPictures,
    private readonly addresses: PictureAddresses,
    { SITE_ARTICLE_PATH }: Env,
  ) {
    this.isReserved = reservedSlugs(SITE_ARTICLE_PATH);
  }

  /**
   * Prepares a new article: checks its fields, and prepares the text.
   *
   * @param account the account that sends the body
   * @throws InvalidBodyError @throws SlugReservedError
   * @throws what `prepareText` throws
   */
  async newOf(
    account: Types.ObjectId,
    { draftText, draftMarkdown, ...others }: NewBlogBody,
  ): Promise<{ readonly body: Omit<typeof others, 'cover'> & PreparedPicture } & PreparedText> {
    const { fields, refusal } = checkedFields(others, {}, this.isReserved);
    if (refusal) throw refusal;
    // A new article shows no picture yet, so that none of its own can be gone.
    const { picture } = await this.preparePicture(account, fields, NOTHING_STORED);
    const text = await this.prepareText(account, { draftText, draftMarkdown }, NOTHING_STORED);
    // The DTO demands a text.
    if (!text) throw new DraftTextError();
    const problem = htmlProblem(text.draftText);
    if (problem !== null) throw invalidText(text, problem);
    const { cover: _, ...body } = fields;
    return { body: { ...body, ...picture }, ...text };
  }

  /** The slugs to try for an article with this title, in their order. */
  slugsFor(title: string): string[] {
    const candidates = [...slugCandidates(slugFromTitle(title))];
    return candidates.filter((slug) => !this.isReserved(slug));
  }

  /** The fields of one blog; none if no blog matches. */
  async storedFields(filter: BlogFilter): Promise<StoredFields> {
    const query = this.blogs.findOne(filter as QueryFilter<Blog>, null, BY_ID);
    return (await query.select(FIELD_NAMES).read('primary').lean<StoredFields | null>()) ?? {};
  }

  /**
   * Prepares an edit: checks the id in the body and the fields, and prepares the text. Fields that repeat
   * what is stored are accepted, even if they could not be stored anew.
   *
   * @param account the account that sends the body
   * @param id id of the blog in the path; the body must not contain another id
   * @param readStored reads the fields that the body may repeat; called only if it needs to know them
   * @throws ForeignIdError
   * @throws InvalidBodyError @throws SlugReservedError
   * @throws what `prepareText` throws
   */
  async editOf(
    { account, id }: { readonly account: Types.ObjectId; readonly id: Types.ObjectId },
    { _id, draftText, draftMarkdown, ...others }: UpdateBlogDto,
    readStored: () => Promise<StoredFields>,
  ): Promise<Edit> {
    if (_id !== undefined && _id.toLowerCase() !== id.toHexString()) throw new ForeignIdError();
    const text = await this.prepareText(account, { draftText, draftMarkdown }, readStored);
    let checked = checkedFields(others, {}, this.isReserved);
    let problem = text && htmlProblem(text.draftText);
    if (!checked.isAsSent || checked.refusal || problem !== null) {
      const known = await readStored();
      checked = checkedFields(others, known, this.isReserved);
      if (htmlProblem(known.draftText ?? '') !== null) problem = null;
    }
    if (checked.refusal) throw checked.refusal;
    if (text && problem !== null) throw invalidText(text, problem);
    // Without a text in the body, only `null` can be left.
    const { warnings, ...texts } = text ?? { draftMarkdown, warnings: [] };
    const { cover: _, ...fields } = checked.fields;
    const prepared = await this.preparePicture(account, checked.fields, readStored);
    return {
      changes: toWorkingCopy({ ...fields, ...prepared.picture, ...texts }, this.html.version),
      warnings: [...warnings, ...prepared.warnings],
    };
  }

  /**
   * Prepares the picture of an article: a `cover`, or `imgUrl`, each of which takes the place of the other. An address
   * of the media library in `imgUrl` chooses the cover.
   *
   * @throws what `DraftPictures.prepareCover` throws
   */
  private async preparePicture(
    account: Types.ObjectId,
    { imgUrl, cover }: PictureInput,
    readStored: () => Promise<StoredFields>,
  ): Promise<{ readonly picture: PreparedPicture; readonly warnings: readonly FieldWarning[] }> {
    if (imgUrl === undefined && cover === undefined) return { picture: {}, warnings: [] };
    const id = imgUrl ? this.addresses.idIn(imgUrl) : null;
    const choice = cover === undefined && id !== null ? { media: id } : cover;
    if (!choice) {
      return { picture: { imgUrl: id === null ? imgUrl : null, cover: null }, warnings: [] };
    }
    const prepared = await this.pictures.prepareCover(choice, account, readStored);
    return {
      picture: { imgUrl: null, cover: prepared.cover },
      warnings: prepared.warnings.map((message) => ({ field: 'cover', message })),
    };
  }

  /**
   * Converts the Markdown of a body to HTML, and cleans the HTML. A restored revision has both texts: its
   * HTML is used, and its Markdown is kept.
   *
   * @param account the account that sends the body
   * @param readStored reads the fields of the blog, whose pictures the text may keep
   * @returns null for a body without a text
   * @throws DraftTextError the cleaned text is empty or too long
   * @throws MarkdownTooComplexError
   * @throws UnavailableError too many texts are being cleaned or converted
   */
  private async prepareText(
    account: Types.ObjectId,
    { draftText, draftMarkdown = null }: TextInput,
    readStored: () => Promise<StoredFields>,
  ): Promise<PreparedText | null> {
    if (draftText !== undefined) {
      return { draftMarkdown, ...(await this.clean(account, 'draftText', draftText, readStored)) };
    }
    if (draftMarkdown === null) return null;
    const { html, notes } = await this.markdown.convert(draftMarkdown, account.toHexString());
    const cleaned = await this.clean(account, 'draftMarkdown', html, readStored);
    const warnings = notes.map((message) => ({ field: 'draftMarkdown', message }));
    return { draftMarkdown, ...cleaned, warnings: [...warnings, ...cleaned.warnings] };
  }

  private async clean(
    account: Types.ObjectId,
    field: keyof TextInput,
    given: string,
    readStored: () => Promise<StoredFields>,
  ): Promise<Omit<PreparedText, 'draftMarkdown'>> {
    const { html, idLength, warnings } = await this.html.clean(given, account.toHexString());
    const { min, max } = BLOG_FIELDS.draftText.cleaned;
    // The ids that cleaning adds must not make a text too long.
    if (!hasLength(html, { min, max: max + idLength })) throw new DraftTextError(field);
    const pictured = await this.pictures.prepare(html, account, readStored);
    const messages = [...warnings, ...pictured.warnings];
    return { draftText: pictured.html, warnings: messages.map((message) => ({ field, message })) };
  }
}

function invalidText({ draftMarkdown }: PreparedText, problem: string): InvalidBodyError {
  const field = draftMarkdown === null ? 'draftText' : 'draftMarkdown';
  return new InvalidBodyError([{ field, message: `${field} ${problem}` }]);
}

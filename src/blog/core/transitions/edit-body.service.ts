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
import type { CleaningResult, CleanHtml } from '../html/clean-html.js';
import { HtmlCleaner } from '../html/html-cleaner.js';
import { slugCandidates, slugFromTitle } from '../text/slug.js';
import { reservedSlugs, type IsReserved } from '../text/slugs/reserved-slugs.js';

/** The fields of a blog that an edit may repeat. */
export type StoredFields = PlainFields & { readonly draftText?: string | undefined };

interface Edit {
  readonly changes: WorkingCopyChanges<CleanHtml>;
  /** Messages about what cleaning has removed from the text. */
  readonly warnings: readonly string[];
}

/** @param message tells what cleaning has removed from the text */
export function toTextWarning(message: string): FieldWarning {
  return { field: 'draftText', message };
}

/** Prepares the body of a request that writes an article. */
@Injectable()
export class EditBodyService {
  private readonly isReserved: IsReserved;

  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly html: HtmlCleaner,
    { SITE_ARTICLE_PATH }: Env,
  ) {
    this.isReserved = reservedSlugs(SITE_ARTICLE_PATH);
  }

  /**
   * Prepares a new article, with its text cleaned.
   *
   * @throws InvalidBodyError @throws SlugReservedError
   * @throws DraftTextError the cleaned text is empty or too long
   * @throws UnavailableError too many texts are being cleaned
   */
  async newOf({
    draftText,
    ...others
  }: NewBlogBody): Promise<{ readonly body: Omit<NewBlogBody, 'draftText'> } & CleaningResult> {
    const { fields: body, refusal } = checkedFields(others, {}, this.isReserved);
    if (refusal) throw refusal;
    const cleaned = await this.clean(draftText);
    const problem = htmlProblem(cleaned.html);
    if (problem !== null) throw invalidText(problem);
    return { body, ...cleaned };
  }

  /** The slugs to try for a new article with this title, in their order. */
  slugsFor(title: string, random: () => string): string[] {
    const candidates = [...slugCandidates(slugFromTitle(title), random)];
    return candidates.filter((slug) => !this.isReserved(slug));
  }

  /** The fields of one blog; none if no blog matches. */
  async storedFields(filter: BlogFilter): Promise<StoredFields> {
    const query = this.blogs.findOne(filter as QueryFilter<Blog>, null, BY_ID);
    return (await query.select(FIELD_NAMES).read('primary').lean<StoredFields | null>()) ?? {};
  }

  /**
   * Prepares an edit: checks the id in the body and the fields, and cleans the text. Fields that repeat
   * what is stored are accepted, even if they could not be stored anew.
   *
   * @param id id of the blog in the path; the body must not contain another id
   * @param readStored reads the fields that the body may repeat; called only if it needs to know them
   * @throws ForeignIdError
   * @throws InvalidBodyError @throws SlugReservedError
   * @throws DraftTextError the cleaned text is empty or too long
   * @throws UnavailableError too many texts are being cleaned
   */
  async editOf(
    id: Types.ObjectId,
    { _id, draftText, ...others }: UpdateBlogDto,
    readStored: () => Promise<StoredFields>,
  ): Promise<Edit> {
    if (_id !== undefined && _id.toLowerCase() !== id.toHexString()) throw new ForeignIdError();
    const cleaned = draftText === undefined ? undefined : await this.clean(draftText);
    let checked = checkedFields(others, {}, this.isReserved);
    let problem = cleaned ? htmlProblem(cleaned.html) : null;
    if (!checked.isAsSent || checked.refusal || problem !== null) {
      const known = await readStored();
      checked = checkedFields(others, known, this.isReserved);
      if (htmlProblem(known.draftText ?? '') !== null) problem = null;
    }
    if (checked.refusal) throw checked.refusal;
    if (problem !== null) throw invalidText(problem);
    const changes = toWorkingCopy(
      { ...checked.fields, draftText: cleaned?.html },
      this.html.version,
    );
    return { changes, warnings: cleaned?.warnings ?? [] };
  }

  /** @throws DraftTextError the cleaned text is empty or too long; @throws UnavailableError */
  private async clean(draftText: string): Promise<CleaningResult> {
    const cleaned = await this.html.clean(draftText);
    const { min, max } = BLOG_FIELDS.draftText.cleaned;
    // The ids that cleaning adds must not make a text too long.
    if (!hasLength(cleaned.html, { min, max: max + cleaned.idLength })) throw new DraftTextError();
    return cleaned;
  }
}

function invalidText(problem: string): InvalidBodyError {
  return new InvalidBodyError([{ field: 'draftText', message: `draftText ${problem}` }]);
}

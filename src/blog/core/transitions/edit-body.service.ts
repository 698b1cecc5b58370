import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import type { FieldWarning } from '../../../platform/http/envelope/envelope.js';
import { hasLength } from '../../../platform/http/validation/text-length.js';
import { BLOG_FIELDS, toWorkingCopy, type WorkingCopyChanges } from '../blog-fields.js';
import { DraftTextError, ForeignIdError } from '../blog.errors.js';
import { UpdateBlogDto } from '../dto/update-blog.dto.js';
import type { CleaningResult, CleanHtml } from '../html/clean-html.js';
import { HtmlCleaner } from '../html/html-cleaner.js';

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
  constructor(private readonly html: HtmlCleaner) {}

  /**
   * Prepares an edit: checks the id in the body and cleans the text.
   *
   * @param account the account that sends the body
   * @param id id of the blog in the path; the body must not contain another id
   * @throws ForeignIdError
   * @throws DraftTextError the cleaned text is empty or too long
   * @throws UnavailableError too many texts are being cleaned
   */
  async editOf(
    account: Types.ObjectId,
    id: Types.ObjectId,
    { _id, draftText, ...others }: UpdateBlogDto,
  ): Promise<Edit> {
    if (_id !== undefined && _id.toLowerCase() !== id.toHexString()) throw new ForeignIdError();
    const cleaned = draftText === undefined ? undefined : await this.clean(account, draftText);
    const changes = toWorkingCopy({ ...others, draftText: cleaned?.html }, this.html.version);
    return { changes, warnings: cleaned?.warnings ?? [] };
  }

  /** @throws DraftTextError the cleaned text is empty or too long; @throws UnavailableError */
  async clean(account: Types.ObjectId, draftText: string): Promise<CleaningResult> {
    const cleaned = await this.html.clean(draftText, account.toHexString());
    const { min, max } = BLOG_FIELDS.draftText.cleaned;
    // The ids that cleaning adds must not make a text too long.
    if (!hasLength(cleaned.html, { min, max: max + cleaned.idLength })) throw new DraftTextError();
    return cleaned;
  }
}

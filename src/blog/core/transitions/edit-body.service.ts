import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import type { FieldWarning } from '../../../platform/http/envelope/envelope.js';
import { hasLength } from '../../../platform/http/validation/text-length.js';
import { BLOG_FIELDS, toWorkingCopy, type WorkingCopyChanges } from '../blog-fields.js';
import { DraftTextError, ForeignIdError } from '../blog.errors.js';
import { UpdateBlogDto } from '../dto/update-blog.dto.js';
import type { CleanHtml } from '../html/clean-html.js';
import { HtmlCleaner } from '../html/html-cleaner.js';
import { MarkdownConverter } from '../markdown/markdown-converter.js';

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
  constructor(
    private readonly html: HtmlCleaner,
    private readonly markdown: MarkdownConverter,
  ) {}

  /**
   * Prepares an edit: checks the id in the body, and prepares the text.
   *
   * @param account the account that sends the body
   * @param id id of the blog in the path; the body must not contain another id
   * @throws ForeignIdError
   * @throws what `prepareText` throws
   */
  async editOf(
    account: Types.ObjectId,
    id: Types.ObjectId,
    { _id, draftText, draftMarkdown, ...others }: UpdateBlogDto,
  ): Promise<Edit> {
    if (_id !== undefined && _id.toLowerCase() !== id.toHexString()) throw new ForeignIdError();
    const { warnings, ...texts } = (await this.prepareText(account, {
      draftText,
      draftMarkdown,
    })) ?? {
      // Without a text in the body, only `null` can be left.
      draftMarkdown,
      warnings: [],
    };
    return { changes: toWorkingCopy({ ...others, ...texts }, this.html.version), warnings };
  }

  /**
   * Converts the Markdown of a body to HTML, and cleans the HTML. A restored revision has both texts: its
   * HTML is used, and its Markdown is kept.
   *
   * @param account the account that sends the body
   * @returns null for a body without a text
   * @throws DraftTextError the cleaned text is empty or too long
   * @throws MarkdownTooComplexError
   * @throws UnavailableError too many texts are being cleaned or converted
   */
  async prepareText(
    account: Types.ObjectId,
    { draftText, draftMarkdown = null }: TextInput,
  ): Promise<PreparedText | null> {
    if (draftText !== undefined) {
      return { draftMarkdown, ...(await this.clean(account, 'draftText', draftText)) };
    }
    if (draftMarkdown === null) return null;
    const { html, notes } = await this.markdown.convert(draftMarkdown, account.toHexString());
    const cleaned = await this.clean(account, 'draftMarkdown', html);
    const warnings = notes.map((message) => ({ field: 'draftMarkdown', message }));
    return { draftMarkdown, ...cleaned, warnings: [...warnings, ...cleaned.warnings] };
  }

  private async clean(
    account: Types.ObjectId,
    field: keyof TextInput,
    given: string,
  ): Promise<Omit<PreparedText, 'draftMarkdown'>> {
    const { html, idLength, warnings } = await this.html.clean(given, account.toHexString());
    const { min, max } = BLOG_FIELDS.draftText.cleaned;
    // The ids that cleaning adds must not make a text too long.
    if (!hasLength(html, { min, max: max + idLength })) throw new DraftTextError(field);
    return { draftText: html, warnings: warnings.map((message) => ({ field, message })) };
  }
}

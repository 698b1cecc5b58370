import { PictureAddresses } from '../media/serving/picture-addresses.service.js';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { FIELD_NAMES, ruleOf, type BlogFieldName } from '../core/blog-fields.js';
import type { Blog, BlogFilter } from '../core/blog.schema.js';
import type { DiffSide } from './diff/diff-fields.js';
import { HtmlCleaner } from '../core/html/html-cleaner.js';
import { EditorialBlogService } from '../core/lists/editorial-blog.service.js';
import { RevisionContent } from './store/revision-content.schema.js';
import type { RevisionEntry } from './store/revision-entry.js';
import { decompressFields, type RevisionFields } from './store/revision-fields.js';
import { skipOf, type PageQuery } from '../../platform/http/pagination/page-query.dto.js';
import { isHttpUrl } from '../../platform/http/validation/http-url.js';
import { OPERATION_MAX_MS } from '../../platform/database/client-options.js';
import { UserService } from '../../user/user.service.js';
import { RevisionNotFoundError } from './blog-revisions.errors.js';
import { toRevisionItemView, type RevisionItemView } from './views/revision-item.view.js';
import { toRevisionView, type RevisionView } from './views/revision.view.js';

/** A blog with the revisions that it keeps, and the requested fields. */
type BlogWithRevisions<Field extends keyof Blog> = Pick<Blog, '_id' | 'revisions' | Field>;

/**
 * Reads the revisions of a blog. Contents are read from the primary: a secondary may have the blog
 * without them.
 */
@Injectable()
export class RevisionReader {
  constructor(
    @InjectModel(RevisionContent.name) private readonly contents: Model<RevisionContent>,
    private readonly editorial: EditorialBlogService,
    private readonly html: HtmlCleaner,
    private readonly users: UserService,
    private readonly pictures: PictureAddresses,
  ) {}

  /**
   * @param filter matches the blog by its id, if the caller may see it
   * @param fields to read in addition to the revisions
   * @throws BlogNotFoundError when no blog matches
   */
  async blog<Field extends BlogFieldName | 'htmlVersion' | 'markdownDigest' = never>(
    filter: BlogFilter,
    fields: readonly Field[] = [],
  ): Promise<BlogWithRevisions<Field>> {
    return this.editorial.find(filter, ['revisions', ...fields]);
  }

  /** A page of the revisions of a blog, newest first. */
  async list(
    { revisions = [] }: Pick<Blog, 'revisions'>,
    page: PageQuery,
  ): Promise<RevisionItemView[]> {
    const skipped = skipOf(page);
    const entries = revisions.toReversed().slice(skipped, skipped + page.limit);
    const titles = await this.titlesOf(entries);
    const names = await this.users.namesOf(entries.flatMap(({ by }) => by ?? []));
    return entries.map((entry) =>
      toRevisionItemView(entry, titles.get(entry.content.toHexString()) ?? '', names),
    );
  }

  /**
   * One revision of a blog.
   *
   * @throws RevisionNotFoundError
   */
  async view(
    { revisions = [] }: Pick<Blog, 'revisions'>,
    rev: number,
    account: Types.ObjectId,
  ): Promise<RevisionView> {
    const entry = entryOf(revisions, rev);
    const served = await this.readServed(entry, account);
    const fields = { ...served, draftText: this.pictures.unpublished(served.draftText) };
    const names = await this.users.namesOf([entry.by ?? []].flat());
    return toRevisionView(entry, fields, names, this.pictures.signedLinks());
  }

  /** The fields of one revision as a response may contain them (see `serve`). @throws RevisionNotFoundError */
  async fields(
    { revisions = [] }: Pick<Blog, 'revisions'>,
    rev: number,
    account: Types.ObjectId,
  ): Promise<DiffSide> {
    return this.readServed(entryOf(revisions, rev), account);
  }

  /**
   * The fields of one revision, with the text as it was stored.
   *
   * @throws RevisionNotFoundError
   */
  async storedFields({ revisions = [] }: Pick<Blog, 'revisions'>, rev: number): Promise<DiffSide> {
    const { fields } = await this.content(entryOf(revisions, rev));
    return complete(await decompressFields(fields));
  }

  /**
   * Completes the fields, and cleans the text again if the HTML policy has changed since it was cleaned.
   *
   * @param fields fields of the working copy, or of a revision
   * @param htmlVersion version of the HTML policy by which their text was cleaned
   * @param account the account that asks
   */
  async serve(
    fields: RevisionFields,
    htmlVersion: RevisionContent['htmlVersion'] | undefined,
    account: Types.ObjectId,
  ): Promise<DiffSide> {
    const { draftText: text, ...others } = complete(fields);
    const source = { text, htmlVersion: htmlVersion ?? 0 };
    return { ...others, draftText: await this.html.servedText(source, account.toHexString()) };
  }

  private async readServed(entry: RevisionEntry, account: Types.ObjectId): Promise<DiffSide> {
    const { fields, htmlVersion } = await this.content(entry);
    return this.serve(await decompressFields(fields), htmlVersion, account);
  }

  /** @throws RevisionNotFoundError if the content is missing */
  private async content({ content }: RevisionEntry): Promise<RevisionContent> {
    const stored = await this.contents.collection.findOne<RevisionContent>(
      { _id: content },
      // The driver reads the content, because it returns the compressed fields as a Buffer.
      { promoteBuffers: true, readPreference: 'primary', maxTimeMS: OPERATION_MAX_MS },
    );
    if (!stored) throw new RevisionNotFoundError();
    return stored;
  }

  private async titlesOf(entries: readonly RevisionEntry[]): Promise<Map<string, string>> {
    if (entries.length === 0) return new Map();
    // A publication shares the content of the submission before it, so an id may occur twice.
    const ids = new Map(entries.map(({ content }) => [content.toHexString(), content]));
    const contents = await this.contents
      .find({ _id: { $in: [...ids.values()] } })
      .select(['title'])
      .read('primary')
      .lean<{ readonly _id: Types.ObjectId; readonly title: string }[]>();
    return new Map(contents.map(({ _id, title }) => [_id.toHexString(), title]));
  }
}

function entryOf(revisions: readonly RevisionEntry[], rev: number): RevisionEntry {
  const entry = revisions.find((candidate) => candidate.rev === rev);
  if (!entry) throw new RevisionNotFoundError();
  return entry;
}

/** Adds the fields that a record of an older server may lack, and drops an invalid image URL. */
function complete(fields: RevisionFields): DiffSide {
  const entries = FIELD_NAMES.map((name) => [name, completeValue(name, fields[name])] as const);
  return Object.fromEntries(
    entries.filter(([, value]) => value !== undefined),
  ) as unknown as DiffSide;
}

/** @returns undefined for an optional field without a value that may be shown */
function completeValue(name: BlogFieldName, value: RevisionFields[BlogFieldName]) {
  const { kind, presence } = ruleOf(name);
  if (presence !== 'optional') return value ?? (kind === 'tags' ? [] : '');
  return kind === 'address' && !isHttpUrl(value) ? undefined : (value ?? undefined);
}

import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { BlogImportService, type KnownBlog } from '../../blog/core/import/blog-import.service.js';
import type { NewImport } from '../../blog/core/import/imported-blog.js';
import { AccountJobs } from '../../blog/jobs/account-jobs.service.js';
import { OperatorError } from '../../platform/config/operator.error.js';
import { MigrationService } from '../../platform/database/migrations/migration.service.js';
import { UserService } from '../../user/user.service.js';
import { articleId } from './articles/article-id.js';
import { batchesOf } from './article-batches.js';
import { plannedTitle } from './articles/article-plan.js';
import { ArticlePreparer, type PreparedArticle } from './articles/article-preparer.service.js';
import { refusalOf } from './articles/contained.js';
import { freeSlugs } from './articles/free-slugs.js';
import type {
  ArticleSource,
  AuthorsFile,
  ImportedArticle,
  Refusal,
} from './articles/imported-article.js';
import { storedBlogs } from './articles/stored-blogs.js';
import { ImportAuthorsService, type AuthorMap } from './authors/import-authors.service.js';
import { AddressBookService, type AddressBook } from './links/address-book.service.js';
import {
  ArticlePictures,
  type OpenPictures,
  type PictureOptions,
} from './pictures/article-pictures.service.js';
import type { MarkedArticle } from './pictures/marked-article.js';
import {
  addDraft,
  addLive,
  countOne,
  emptyReport,
  type ImportReport,
  type Redirect,
} from './import-report.js';

/** Number of attempts to store a batch: another process may take its slugs meanwhile. */
const ATTEMPTS = 5;

export interface ImportOptions {
  readonly dryRun: boolean;
  /** Whether all articles become drafts, also those that readers see in the source. */
  readonly asDrafts?: boolean;
  /** Email address of the author of all articles; null for the authors that the articles name. */
  readonly author: string | null;
  /** Which pictures are taken; none by default. */
  readonly pictures?: PictureOptions;
  /** The authors by what articles call them; by default those that the source has. */
  readonly authors?: AuthorsFile | null;
  /** Called for each article. */
  readonly onArticle: () => void;
}

/** An article with the id that it gets, and the slug that it should get. */
interface PlannedArticle {
  readonly article: ImportedArticle;
  /** The slug that it wants; another one if an article before it in the import wants the same. */
  readonly wantedSlug: string;
  readonly formerSlugs: readonly string[];
  readonly redirects: readonly Redirect[];
  readonly _id: Types.ObjectId;
  readonly slug: string;
  readonly notes: readonly string[];
}

interface ReadyArticle extends Omit<PlannedArticle, 'article'>, NewImport {
  readonly original: ImportedArticle;
  /** The article with marks for the pictures that are to be taken. */
  readonly marked: MarkedArticle;
  readonly source: string;
  readonly descriptionMadeOf: 'text' | 'title' | null;
  readonly draftReason: string | null;
}

interface Run {
  readonly report: ImportReport;
  readonly asDrafts: boolean;
  readonly authors: AuthorMap;
  readonly addresses: AddressBook;
  /** Where pictures are; null if none are taken. */
  readonly pictures: OpenPictures | null;
  /** The slugs that a dry run has given to articles. It stores no article, so the database does not have them. */
  readonly claimed: Set<string>;
}

/**
 * Imports the articles of a source in batches. Each article is stored completely or not at all, under
 * an id that is derived from the article. So a run that was killed can be repeated, and adds the
 * missing articles.
 */
@Injectable()
export class ImporterService {
  constructor(
    private readonly imports: BlogImportService,
    private readonly preparer: ArticlePreparer,
    private readonly addressBooks: AddressBookService,
    private readonly authors: ImportAuthorsService,
    private readonly pictures: ArticlePictures,
    private readonly users: UserService,
    private readonly jobs: AccountJobs,
    private readonly migrations: MigrationService,
  ) {}

  /**
   * @throws OperatorError
   * @throws what reading the source throws
   */
  async run(
    source: ArticleSource,
    {
      dryRun,
      asDrafts = false,
      author,
      authors: file = source.authors,
      pictures: taken = { media: false, fetch: false },
      onArticle,
    }: ImportOptions,
  ): Promise<ImportReport> {
    if (!dryRun) await this.migrations.runIfPending();
    const report = emptyReport(dryRun, file?.path ?? null);
    const authors = await this.authors.open({ address: author, file: file ?? null }, report);
    const addresses = await this.addressBooks.open(source);
    const pictures = await this.pictures.open(source, taken);
    const run: Run = { report, asDrafts, authors, addresses, pictures, claimed: new Set() };
    const items = source.items({ language: this.preparer.siteLanguage });
    try {
      for await (const batch of batchesOf(items, report, onArticle)) {
        await this.importBatch(batch, run);
        for (const _ of batch) onArticle();
      }
    } finally {
      pictures?.close();
    }
    return report;
  }

  private async importBatch(articles: readonly ImportedArticle[], run: Run): Promise<void> {
    const wanted = articles.map((article): PlannedArticle => {
      const { value: wantedSlug, notes } = this.preparer.slugOf(article);
      const address = run.addresses.of(article);
      const { slug = wantedSlug, formerSlugs = [], redirects = [] } = address ?? {};
      const _id = articleId(article);
      return { article, _id, wantedSlug, slug, formerSlugs, redirects, notes };
    });
    const missing = await this.withoutKnown(wanted, run);
    const ready: ReadyArticle[] = [];
    for (const planned of missing) {
      const { source } = planned.article;
      const prepared = await this.prepare(planned, run);
      if ('reason' in prepared) run.report.skipped.push({ source, ...prepared });
      else ready.push(prepared);
    }
    await this.store(await this.withPictures(ready, run), run);
  }

  /** @returns the articles that are not stored yet; adds the others to the report */
  private async withoutKnown(
    wanted: readonly PlannedArticle[],
    { report }: Run,
  ): Promise<PlannedArticle[]> {
    const stored = await storedBlogs(
      this.imports,
      wanted.map(({ _id, wantedSlug }) => ({ _id, slug: wantedSlug })),
    );
    return wanted.filter(({ article, redirects }, at) => {
      const found = stored[at];
      if (!found) return true;
      report.alreadyThere += 1;
      report.redirects.push(...redirects);
      const reason = differenceOf(article, found);
      if (reason !== null) report.changed.push({ source: article.source, reason });
      return false;
    });
  }

  /** @returns what is to be stored, or why the article cannot be imported */
  private async prepare(
    { article, ...wanted }: PlannedArticle,
    run: Run,
  ): Promise<ReadyArticle | Refusal> {
    const marked = await this.pictures.mark(article, run.pictures);
    const prepared = await this.contained(marked.article, run);
    if ('reason' in prepared) return prepared;
    const found = await run.authors.of(article);
    if ('reason' in found) return found;
    const { notes, ...fields } = prepared;
    return {
      ...wanted,
      ...fields,
      source: article.source,
      original: article,
      marked,
      author: found.author,
      // A draft has no readers who could come by a former address.
      ...(fields.publishedAt ? {} : { formerSlugs: [] }),
      notes: [...wanted.notes, ...notes, ...found.notes],
    };
  }

  /** Prepares an article. What fails is the article: it is skipped, and the import goes on. */
  private async contained(
    article: ImportedArticle,
    { addresses, asDrafts }: Run,
  ): Promise<PreparedArticle | Refusal> {
    try {
      return await this.preparer.prepare(article, addresses.links, asDrafts);
    } catch (error) {
      return refusalOf(error);
    }
  }

  /** Takes the pictures of articles, and leaves out those of which nothing is left without them. */
  private async withPictures(ready: readonly ReadyArticle[], run: Run): Promise<ReadyArticle[]> {
    const { pictures, report } = run;
    const completed = await this.pictures.complete(ready, pictures, report, (article) =>
      this.contained(article, run),
    );
    return completed.filter((each): each is ReadyArticle => {
      if (!('reason' in each)) return true;
      report.skipped.push({ source: each.original.source, reason: each.reason });
      return false;
    });
  }

  private async store(ready: readonly ReadyArticle[], run: Run): Promise<void> {
    let remaining = ready;
    for (let attempt = 0; remaining.length > 0; attempt += 1) {
      if (attempt === ATTEMPTS)
        throw new OperatorError('Other programs take the slugs: run it again.');
      const slugs = await freeSlugs(
        remaining.map(({ slug }) => slug),
        run.report.dryRun ? run.claimed : new Set(),
        this.imports,
      );
      const withFreeSlugs = remaining.map((each, index) => ({
        ...each,
        slug: slugs[index] ?? each.slug,
        // After a refusal, another article may have one of its former slugs.
        formerSlugs: attempt === 0 ? each.formerSlugs : [],
      }));
      const refused = run.report.dryRun ? [] : await this.imports.insert(withFreeSlugs);
      const isRefused = ({ _id }: ReadyArticle): boolean => refused.some((id) => id.equals(_id));
      for (const each of withFreeSlugs) if (!isRefused(each)) addStored(run, each);
      remaining = await this.withoutStoredMeanwhile(remaining.filter(isRefused), run);
    }
    await this.cleanUpAfterDeletedAuthors(ready, run);
  }

  /** @returns the refused articles that are not stored yet: a concurrent run may have imported some */
  private async withoutStoredMeanwhile(
    refused: readonly ReadyArticle[],
    { report }: Run,
  ): Promise<readonly ReadyArticle[]> {
    if (refused.length === 0) return refused;
    const known = await this.imports.findByIds(refused.map(({ _id }) => _id));
    report.alreadyThere += known.length;
    return refused.filter(({ _id }) => !known.some((blog) => blog._id.equals(_id)));
  }

  /**
   * Asks for the clean-up of deleted accounts again: it may have ended before this batch was stored.
   *
   * @throws OperatorError when the account of an author does not exist any more
   */
  private async cleanUpAfterDeletedAuthors(
    ready: readonly ReadyArticle[],
    { report }: Run,
  ): Promise<void> {
    if (report.dryRun) return;
    const authors = new Map(ready.map(({ author }) => [author.toHexString(), author]));
    for (const author of authors.values()) {
      if (await this.users.exists(author)) continue;
      await this.jobs.add({ kind: 'accountDeletion', from: author });
      throw new OperatorError('The account of an author was deleted meanwhile: run it again.');
    }
  }
}

/** Counts a stored article in the report, with its notes. */
function addStored({ report }: Run, stored: ReadyArticle): void {
  const { source, slug, wantedSlug: wanted, publishedAt, notes, descriptionMadeOf } = stored;
  if (publishedAt) {
    addLive(report, { source, publishedAt });
    report.redirects.push(...stored.redirects);
  } else addDraft(report, stored.draftReason ?? '');
  if (descriptionMadeOf) countOne(report, `descriptions made of the ${descriptionMadeOf}`);
  const taken =
    slug === wanted ? [] : [`slug "${wanted}" is that of another article: now "${slug}"`];
  for (const reason of [...taken, ...notes]) report.changed.push({ source, reason });
}

/** A note for an article that is stored already with another title, else null. */
function differenceOf(article: ImportedArticle, { title, slugs }: KnownBlog): string | null {
  if (article.title === null || plannedTitle(article, '').value === title) return null;
  const where = slugs[0] === undefined ? 'in the trash' : `as "${slugs[0]}"`;
  return `already there ${where}, with the title "${title}": left as it is`;
}

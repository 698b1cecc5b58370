import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import type { NewWorkingCopy } from '../../../blog/core/blog-fields.js';
import type { CleanHtml } from '../../../blog/core/html/clean-html.js';
import { DraftPictures } from '../../../blog/media/use/draft-pictures.service.js';
import { ArticlePreparer, type PreparedArticle } from '../articles/article-preparer.service.js';
import type { ArticleSource, ImportedArticle, Refusal } from '../articles/imported-article.js';
import { countOne, type ImportReport } from '../import-report.js';
import { ImportPictures, storableAlt } from './import-pictures.service.js';
import {
  markedArticle,
  markIn,
  webPicture,
  withAddresses,
  type MarkedArticle,
  type PictureFinder,
} from './marked-article.js';
import { PictureFetcher } from './picture-fetcher.service.js';
import { pictureId } from './picture-id.js';

const SHOWS_NOTHING = (): Promise<object> => Promise.resolve({});

export interface PictureOptions {
  /** Whether pictures are taken from the files of the source. */
  readonly media: boolean;
  /** Whether they are taken from the web as well. */
  readonly fetch: boolean;
}

/** An article that is prepared, but for its pictures. */
interface PreparedPictures {
  readonly marked: MarkedArticle;
  /** The article without marks. */
  readonly original: ImportedArticle;
  readonly author: Types.ObjectId;
  readonly copy: NewWorkingCopy;
  readonly notes: readonly string[];
}

/** The pictures of an import. */
export interface OpenPictures extends PictureFinder {
  close(): void;
}

/** Takes the pictures of articles into the library of their authors. */
@Injectable()
export class ArticlePictures {
  constructor(
    private readonly preparer: ArticlePreparer,
    private readonly pictures: ImportPictures,
    private readonly drafts: DraftPictures,
    private readonly fetcher: PictureFetcher,
  ) {}

  /** @throws OperatorError when the files of the source cannot be read */
  async open(
    source: ArticleSource,
    { media, fetch }: PictureOptions,
  ): Promise<OpenPictures | null> {
    if (!media && !fetch) return null;
    const files = (await source.pictures?.()) ?? null;
    const onWeb = fetch ? (url: URL) => webPicture(url, () => this.fetcher.fetch(url)) : null;
    return { files, onWeb, close: () => files?.close() };
  }

  /** Marks the pictures of an article that are to be taken, before the article is prepared. */
  async mark(article: ImportedArticle, finder: PictureFinder | null): Promise<MarkedArticle> {
    return finder === null
      ? { article, pictures: new Map(), missing: [], onWeb: 0 }
      : markedArticle(article, finder);
  }

  /**
   * Takes the pictures of prepared articles, and shows them in their texts.
   *
   * @param prepare prepares an article again, of which some pictures could not be taken
   * @returns the articles; a refusal for one of which nothing is left
   */
  async complete<Article extends PreparedPictures>(
    articles: readonly Article[],
    finder: PictureFinder | null,
    report: ImportReport,
    prepare: (article: ImportedArticle) => Promise<PreparedArticle | Refusal>,
  ): Promise<(Article | (Refusal & { readonly original: ImportedArticle }))[]> {
    for (const { marked } of articles) this.countMarked(marked, report);
    if (report.dryRun) return articles.map(withMissing);
    return Promise.all(
      articles.map(async (article) => {
        const { marked, original, author } = article;
        const problems = await this.take(article, report);
        if (problems.size === 0 || !finder) return this.shown(withMissing(article), marked);
        const again = await markedArticle(original, finder, new Set(problems.keys()));
        const prepared = await prepare(again.article);
        if ('reason' in prepared) return { ...prepared, original };
        const notes = [...prepared.notes, ...problems.values()];
        return this.shown(withMissing({ ...article, copy: prepared.copy, notes, author }), again);
      }),
    );
  }

  /** @returns a note for each picture that could not be taken, by its key */
  private async take(
    { marked, original, author: owner }: PreparedPictures,
    report: ImportReport,
  ): Promise<ReadonlyMap<string, string>> {
    const wanted = [...marked.pictures.values()].map((picture) => ({
      ...picture,
      owner,
      _id: pictureId(original, picture.found.key, owner),
    }));
    const problems = new Map<string, string>();
    const taken = await this.pictures.take(wanted);
    for (const [at, { found, address }] of wanted.entries()) {
      const result = taken[at];
      if (result === 'stored') countOne(report, 'pictures stored');
      else if (result === 'known') countOne(report, 'pictures that an earlier run has stored');
      else problems.set(found.key, noteOf(address, result?.problem ?? ''));
    }
    return problems;
  }

  /** Brings a text into the form in which it is stored, with those pictures that its author may use. */
  private async shown<Article extends PreparedPictures>(
    article: Article,
    { pictures }: MarkedArticle,
  ): Promise<Article> {
    const { copy, author, original, notes } = article;
    const idOf = (mark: string): string | undefined => {
      const picture = pictures.get(mark);
      return picture && pictureId(original, picture.found.key, author).toHexString();
    };
    // Only addresses of pictures change, to paths that are clean.
    const clean = withAddresses(copy.draftText, idOf) as CleanHtml;
    const { html, warnings } = await this.drafts.prepare(clean, author, SHOWS_NOTHING);
    const { mark, focus } = markIn(copy.imgUrl ?? '');
    const media = idOf(mark);
    if (html === copy.draftText && media === undefined) return article;
    const alt = original.imgAlt ? storableAlt(original.imgAlt) : undefined;
    const cover =
      media === undefined
        ? {}
        : await this.drafts.prepareCover({ media, alt, focus }, author, SHOWS_NOTHING);
    return {
      ...article,
      copy: this.preparer.changed(copy, { draftText: html, ...cover }),
      notes: [...notes, ...warnings.map((warning) => `text: ${warning}`)],
    };
  }

  private countMarked({ pictures, onWeb }: MarkedArticle, report: ImportReport): void {
    if (report.dryRun) for (const _ of pictures) countOne(report, 'pictures to take');
    for (let count = 0; count < onWeb; count += 1) {
      countOne(report, 'pictures left on the web: --fetch takes them');
    }
  }
}

function withMissing<Article extends PreparedPictures>(article: Article): Article {
  const { marked, notes } = article;
  if (marked.missing.length === 0) return article;
  const missing = marked.missing.map((address) => noteOf(address, 'there is no such file'));
  return { ...article, notes: [...notes, ...missing] };
}

function noteOf(address: string, problem: string): string {
  return `picture "${address.slice(0, 200)}" is not taken: ${problem}`;
}

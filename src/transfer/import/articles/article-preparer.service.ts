import { Injectable } from '@nestjs/common';
import {
  BLOG_FIELDS,
  toNewWorkingCopy,
  type NewWorkingCopy,
} from '../../../blog/core/blog-fields.js';
import { showsNothing } from '../../../blog/core/dto/checked-fields.js';
import type { CleaningResult, CleanHtml } from '../../../blog/core/html/clean-html.js';
import { HtmlCleaner } from '../../../blog/core/html/html-cleaner.js';
import type { NewImport } from '../../../blog/core/import/imported-blog.js';
import type { Cover } from '../../../blog/media/cover/cover.js';
import { reservedSlugs, type IsReserved } from '../../../blog/core/text/slugs/reserved-slugs.js';
import { visibleText } from '../../../blog/core/text/visible-text.js';
import { Env } from '../../../platform/config/env.js';
import { hasVisible, withoutOrder } from '../../../platform/text/characters.js';
import { Clock } from '../../../platform/clock.js';
import { hasLength } from '../../../platform/http/validation/text-length.js';
import type { ImportedArticle, Refusal } from './imported-article.js';
import {
  plannedDescription,
  plannedPicture,
  plannedSlug,
  plannedTags,
  plannedTimes,
  plannedTitle,
  type Planned,
} from './article-plan.js';
import { linksForEmbeds } from '../html/embeds.js';
import { ArticleLinks } from '../links/article-links.js';
import { withLinks } from '../links/article-html.js';
import { hasRelativeUrls, resolveLinks } from './relative-links.js';

/**
 * An article that is ready to be stored, except for its id, slug and author, which ImporterService adds.
 */
export interface PreparedArticle extends Omit<
  NewImport,
  '_id' | 'author' | 'slug' | 'formerSlugs'
> {
  readonly notes: readonly string[];
  /** What the description was made of; null for one that the article has itself. */
  readonly descriptionMadeOf: 'text' | 'title' | null;
  /** Why the article becomes a draft; null for one that readers see. */
  readonly draftReason: string | null;
}

const RELATIVE_LOST =
  'links and pictures relative to its file are removed: give its site by --base-url URL';

type CleanedText = { readonly html: CleanHtml; readonly notes: readonly string[] } | Refusal;

/** Cleans articles, and brings them within the bounds of the API. */
@Injectable()
export class ArticlePreparer {
  /** The language of the site; null if it is not set. */
  readonly siteLanguage: string | null;
  private readonly isReserved: IsReserved;

  constructor(
    private readonly cleaner: HtmlCleaner,
    private readonly clock: Clock,
    { SITE_ARTICLE_PATH, SITE_LANGUAGE }: Env,
  ) {
    this.siteLanguage = SITE_LANGUAGE ?? null;
    this.isReserved = reservedSlugs(SITE_ARTICLE_PATH);
  }

  /** The slug that an article should have, and a note if it is not its own. */
  slugOf(article: ImportedArticle): Planned<string> {
    return plannedSlug(article, this.isReserved);
  }

  /**
   * @param links the articles to which links may lead
   * @param asDraft whether the article becomes a draft in any case
   */
  async prepare(
    article: ImportedArticle,
    links = new ArticleLinks([], []),
    asDraft = false,
  ): Promise<PreparedArticle | Refusal> {
    const cleaned = await this.clean(article, links);
    if ('reason' in cleaned) return cleaned;
    const text = visibleText(cleaned.html);
    const title = plannedTitle(article, text);
    if (!hasVisible(title.value)) return { reason: 'it has neither a title nor words' };
    const description = plannedDescription(article, { text, title: title.value });
    const [tags, picture] = [plannedTags(article), plannedPicture(article)];
    const times = plannedTimes(article, { now: this.clock.now(), asDraft });
    const fields = {
      title: title.value,
      description: description.value,
      tags: tags.value,
      draftText: cleaned.html,
      imgUrl: picture.value,
    };
    return {
      ...times.value,
      copy: toNewWorkingCopy(fields, this.cleaner.version),
      descriptionMadeOf: description.madeOf,
      draftReason: times.draftReason,
      notes: [
        ...article.notes,
        ...[title, description, tags, picture, times].flatMap(({ notes }) => notes),
        ...cleaned.notes,
      ],
    };
  }

  /** The fields with another text or cover, and with what is derived from them. */
  changed(
    copy: NewWorkingCopy,
    changes: { readonly draftText: CleanHtml; readonly cover?: Cover | null },
  ): NewWorkingCopy {
    const imgUrl = changes.cover === undefined ? copy.imgUrl : null;
    return toNewWorkingCopy({ ...copy, ...changes, imgUrl }, this.cleaner.version);
  }

  private async clean(article: ImportedArticle, links: ArticleLinks): Promise<CleanedText> {
    const { html, base } = article;
    const { max: givenMax, cleaned: bounds } = BLOG_FIELDS.draftText;
    if (!hasLength(html, { min: 0, max: givenMax })) return tooLong(givenMax, '');
    // What is relative belongs to the former site. Links to articles come after it, because they lead to the new one.
    const resolved = base === null ? html : resolveLinks(html, base);
    const linked = withLinks(resolved, { ...article, links });
    const embedded = linksForEmbeds(linked.html, (src) => this.cleaner.canEmbed(src));
    const { html: clean, idLength, warnings } = await this.cleanInOrder(embedded.html);
    if (clean.trim() === '') return { reason: 'it has no text' };
    if (showsNothing(clean)) return { reason: 'its text shows nothing' };
    const max = bounds.max + idLength;
    if (!hasLength(clean, { min: 1, max })) return tooLong(bounds.max, ' after it was cleaned');
    const lost = base === null && hasRelativeUrls(linked.html) ? [RELATIVE_LOST] : [];
    const notes = [...embedded.notes, ...warnings, ...lost].map((warning) => `text: ${warning}`);
    return { html: clean, notes: [...linked.notes, ...notes] };
  }

  /**
   * Cleans a text, and removes characters that change the order of others. The result is cleaned again,
   * because a URL is another one without such a character.
   */
  private async cleanInOrder(html: string): Promise<CleaningResult> {
    const cleaned = await this.cleaner.clean(html);
    const inOrder = withoutOrder(cleaned.html);
    if (inOrder === cleaned.html) return cleaned;
    const again = await this.cleaner.clean(inOrder);
    const removed = 'characters removed that turn the order of others';
    return { ...again, warnings: [...cleaned.warnings, removed] };
  }
}

function tooLong(max: number, when: string): Refusal {
  return { reason: `its text has more than ${max} characters of HTML${when}` };
}

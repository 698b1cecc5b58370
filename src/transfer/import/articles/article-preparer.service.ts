import { Injectable } from '@nestjs/common';
import { BLOG_FIELDS, toNewWorkingCopy } from '../../../blog/core/blog-fields.js';
import type { CleanHtml } from '../../../blog/core/html/clean-html.js';
import { HtmlCleaner } from '../../../blog/core/html/html-cleaner.js';
import type { NewImport } from '../../../blog/core/import/imported-blog.js';
import { visibleText } from '../../../blog/core/text/visible-text.js';
import { Clock } from '../../../platform/clock.js';
import { hasLength } from '../../../platform/http/validation/text-length.js';
import type { ImportedArticle, Refusal } from './imported-article.js';
import {
  plannedDescription,
  plannedOptional,
  plannedTags,
  plannedTimes,
  plannedTitle,
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

type CleanedText = { readonly html: CleanHtml; readonly warnings: readonly string[] } | Refusal;

/** Cleans articles, and brings them within the bounds of the API. */
@Injectable()
export class ArticlePreparer {
  constructor(
    private readonly cleaner: HtmlCleaner,
    private readonly clock: Clock,
  ) {}

  /**
   * @param links the articles to which links may lead
   * @param asDraft whether the article becomes a draft in any case
   */
  async prepare(
    article: ImportedArticle,
    links = new ArticleLinks([], []),
    asDraft = false,
  ): Promise<PreparedArticle | Refusal> {
    const { html, notes } = withLinks(article.html, { ...article, links });
    const cleaned = await this.clean({ ...article, html });
    if ('reason' in cleaned) return cleaned;
    const text = visibleText(cleaned.html);
    const title = plannedTitle(article, text);
    if (!hasLength(title.value, BLOG_FIELDS.title)) {
      const { min } = BLOG_FIELDS.title;
      return { reason: `its title "${title.value}" has fewer than ${min} characters` };
    }
    const description = plannedDescription(article, { text, title: title.value });
    const [tags, optional] = [plannedTags(article), plannedOptional(article)];
    const times = plannedTimes(article, { now: this.clock.now(), asDraft });
    const fields = {
      title: title.value,
      description: description.value,
      tags: tags.value,
      draftText: cleaned.html,
      ...optional.value,
    };
    return {
      ...times.value,
      copy: toNewWorkingCopy(fields, this.cleaner.version),
      descriptionMadeOf: description.madeOf,
      draftReason: times.draftReason,
      notes: [
        ...article.notes,
        ...notes,
        ...[title, description, tags, optional, times].flatMap(({ notes }) => notes),
        ...cleaned.warnings.map((warning) => `text: ${warning}`),
      ],
    };
  }

  private async clean({ html, base }: ImportedArticle): Promise<CleanedText> {
    const { max: givenMax, cleaned: bounds } = BLOG_FIELDS.draftText;
    if (!hasLength(html, { min: 0, max: givenMax })) return tooLong(givenMax, '');
    const resolved = base === null ? html : resolveLinks(html, base);
    const linked = linksForEmbeds(resolved, (src) => this.cleaner.canEmbed(src));
    const { html: clean, idLength, warnings } = await this.cleaner.clean(linked.html);
    if (clean.trim() === '') return { reason: 'it has no text' };
    const max = bounds.max + idLength;
    const lost = base === null && hasRelativeUrls(html) ? [RELATIVE_LOST] : [];
    return hasLength(clean, { min: 1, max })
      ? { html: clean, warnings: [...linked.notes, ...warnings, ...lost] }
      : tooLong(bounds.max, ' after it was cleaned');
  }
}

function tooLong(max: number, when: string): Refusal {
  return { reason: `its text has more than ${max} characters of HTML${when}` };
}

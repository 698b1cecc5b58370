import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { Blog } from '../core/blog.schema.js';
import { HtmlCleaner } from '../core/html/html-cleaner.js';
import { comparableText, containsText } from '../core/text/contains-text.js';
import { visibleText } from '../core/text/visible-text.js';
import { BY_ID } from '../../platform/database/query-hints.js';
import { blogFilterOf, COMMENTERS, type CommentAccess } from './comment-access.js';

/** The fields of a blog that the search for quotes reads. */
const SEARCHED_FIELDS = [
  'title',
  'description',
  'draftText',
  'text',
  'htmlVersion',
  'submitted',
  'published',
  'live.title',
  'live.description',
];

/**
 * Number of characters to search before the event loop serves other requests: at most 4 ms.
 */
const CHARACTERS_PER_TURN = 400_000;

/** Checks whether a blog still contains the quoted words. */
@Injectable()
export class CommentQuoteService {
  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly html: HtmlCleaner,
  ) {}

  /**
   * Searches for quotes in the title, the description and the visible text of the version that the
   * user may read. The blog is read once, so the search sees what the user may read at that
   * moment. Blanks, invisible characters and the normal form make no difference.
   *
   * @returns for each quote whether it was found; empty if the user may read no version
   * @throws UnavailableError when a text has to be cleaned first and HtmlCleaner cannot clean it
   */
  async find(
    access: CommentAccess,
    quotes: readonly string[],
  ): Promise<ReadonlyMap<string, boolean>> {
    const found = new Map<string, boolean>();
    const texts = quotes.length === 0 ? [] : await this.readableTexts(access);
    if (texts.length === 0) return found;
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    let searched = 0;
    for (const quote of new Set(quotes)) {
      const words = comparableText(quote);
      const isFound = words !== '' && texts.some((text) => containsText(text, words));
      found.set(quote, isFound);
      searched += length;
      if (searched < CHARACTERS_PER_TURN) continue;
      searched = 0;
      await nextTurn();
    }
    return found;
  }

  private async readableTexts(access: CommentAccess): Promise<string[]> {
    const blog = await this.blogs
      .findOne(blogFilterOf(access) as QueryFilter<Blog>, null, BY_ID)
      .select(SEARCHED_FIELDS)
      .lean<Blog | null>();
    const readable = blog && COMMENTERS[access.as].readableOf(blog);
    if (!readable) return [];
    const { version, text } = readable;
    const { [text]: stored, htmlVersion } = blog;
    const html = await this.html.servedText({ text: stored ?? '', htmlVersion });
    return [version.title, version.description, visibleText(html)].map(comparableText);
  }
}

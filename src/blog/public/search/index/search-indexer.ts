import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, mongo } from 'mongoose';
import { NO_ACCOUNT, TextThread } from '../../../../platform/threads/text-thread.js';
import { siblingModuleUrl } from '../../../../platform/threads/thread-pool.js';
import { Clock } from '../../../../platform/clock.js';
import { Env } from '../../../../platform/config/env.js';
import type { Blog } from '../../../core/blog.schema.js';
import { HtmlCleaner } from '../../../core/html/html-cleaner.js';
import { articleWords, type ArticleTask, type ArticleWords } from './article-words.worker.js';
import { SpellingStore } from './spelling-store.js';
import { Spelling } from './spelling.schema.js';

/**
 * Longest text whose words are found on the event loop, in characters. An article of this length
 * takes 1 ms.
 */
const IN_PLACE_MAX = 6_000;

type IndexedBlog = Pick<
  Blog,
  'title' | 'tags' | 'description' | 'draftText' | 'text' | 'htmlVersion'
>;

/** Finds the words by which a search finds an article, without blocking the event loop. */
@Injectable()
export class SearchIndexer implements OnApplicationShutdown {
  private readonly thread = new TextThread<ArticleTask, ArticleWords>({
    filename: siblingModuleUrl(import.meta.url, 'article-words.worker'),
    name: articleWords.name,
    wake: { task: { title: '', tags: [], description: '', text: '', language: 'none' } },
    busyMessage: 'too many long texts are being indexed: try again in a moment',
    lostMessage: 'the text could not be indexed: try again in a moment',
  });
  private readonly spellings: SpellingStore;

  constructor(
    @InjectModel(Spelling.name) spellings: Model<Spelling>,
    private readonly html: HtmlCleaner,
    private readonly env: Env,
    clock: Clock,
  ) {
    this.spellings = new SpellingStore(
      spellings.collection as unknown as mongo.Collection<Spelling>,
      clock,
    );
  }

  /**
   * Finds the words of the working copy, for its publication.
   *
   * @returns the value of `live.words`, and the spellings that may not be stored yet
   * @throws UnavailableError when too many characters wait for the thread, or when the thread dies
   */
  async wordsOf(blog: IndexedBlog): Promise<ArticleWords> {
    const { words, spellings } = await this.findWords(blog);
    return { words, spellings: this.spellings.unknownOf(spellings) };
  }

  /** Notes that spellings are stored, or that a transition has stored them in its blog. */
  remember(spellings: ArticleWords['spellings']): void {
    this.spellings.remember(spellings);
  }

  /** Stores the spellings of blogs that are live: a search then finds their words by the beginnings. */
  async storeSpellings(spellings: ArticleWords['spellings']): Promise<void> {
    await this.spellings.store(spellings);
  }

  /** Finds the words of several blogs, one after the other, and stores their spellings together. */
  async wordsOfAll(blogs: readonly IndexedBlog[]): Promise<(readonly string[])[]> {
    const found: ArticleWords[] = [];
    for (const blog of blogs) found.push(await this.findWords(blog));
    const spellings = new Map(found.flatMap((each) => each.spellings));
    await this.spellings.storeUnknown([...spellings]);
    return found.map(({ words }) => words);
  }

  /**
   * Ends the thread. Nest calls this after the last request was answered; until then the thread is
   * needed.
   */
  async onApplicationShutdown(): Promise<void> {
    await this.thread.destroy();
  }

  private async findWords(blog: IndexedBlog): Promise<ArticleWords> {
    const { title, tags, description } = blog;
    const { draftText } = await this.html.servedTexts(blog);
    const language = this.env.SEARCH_LANGUAGE;
    return this.run({ title, tags, description, text: draftText, language });
  }

  private run(task: ArticleTask): Promise<ArticleWords> {
    const { length } = task.text;
    return length <= IN_PLACE_MAX
      ? articleWords(task)
      : this.thread.runText(task, length, NO_ACCOUNT);
  }
}

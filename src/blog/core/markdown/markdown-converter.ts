import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Env } from '../../../platform/config/env.js';
import { TextThread } from '../../../platform/threads/text-thread.js';
import { siblingModuleUrl } from '../../../platform/threads/thread-pool.js';
import { MarkdownTooComplexError } from '../blog.errors.js';
import type { RenderedMarkdown } from './markdown-html.js';
import { convertOnThread, type MarkdownRefusal, type MarkdownTask } from './markdown.worker.js';

/**
 * Longest time in which a text is converted, in milliseconds, the start of the thread included. Articles take
 * a few milliseconds, and the deadline of a request is 5 s.
 */
const TIME_MAX_MS = 3_000;

/**
 * Converts the Markdown of articles to HTML, on a worker thread that is ended when a text takes too long: the
 * parser has no bound for its time.
 */
@Injectable()
export class MarkdownConverter implements OnApplicationShutdown {
  private readonly pool = new TextThread<MarkdownTask, RenderedMarkdown | MarkdownRefusal>({
    filename: siblingModuleUrl(import.meta.url, 'markdown.worker'),
    name: convertOnThread.name,
    wake: { task: { markdown: '', siteLanguage: null } },
    busyMessage: 'too many texts are being converted: try again in a moment',
    lostMessage: 'the text could not be converted: try again in a moment',
    limit: {
      timeMaxMs: TIME_MAX_MS,
      error: () =>
        new MarkdownTooComplexError(`it takes more than ${TIME_MAX_MS / 1_000} s: simplify it`),
    },
  });

  constructor(private readonly env: Env) {}

  /**
   * @param account id of the account that has sent the text: accounts have turns on the thread
   * @returns HTML that is not clean yet
   * @throws MarkdownTooComplexError
   * @throws UnavailableError when too many characters wait for the thread, or when the thread dies
   */
  async convert(markdown: string, account: string): Promise<RenderedMarkdown> {
    const task = { markdown, siteLanguage: this.env.SITE_LANGUAGE ?? null };
    const result = await this.pool.runText(task, markdown.length, account);
    if ('problem' in result) throw new MarkdownTooComplexError(result.problem);
    return result;
  }

  /** Ends the thread. Nest calls this after the last request was answered. */
  async onApplicationShutdown(): Promise<void> {
    await this.pool.destroy();
  }
}

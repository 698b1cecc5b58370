import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { UnavailableError } from '../../common/http/errors/api.errors.js';
import { ThreadPool } from '../../common/thread-pool.js';
import type { Blog } from '../blog.schema.js';
import { cleanHtml, HTML_VERSION, type CleanHtml } from './clean-html.js';

/**
 * Characters up to which a text is cleaned where it is: most articles. The cost goes by the length:
 * 0.7 ms for an article of this one, 5 ms for the most laborious markup. To hand it over takes 0.1 ms
 * and a turn on a thread that other cores may not have room for.
 */
const IN_PLACE_MAX = 6_000;

/**
 * Characters that the thread has before it at most: a quarter of a second of articles, or two and a half
 * seconds of the most laborious markup, because a request must be answered in five
 * (src/common/http/connection/deadline.ts). A text that is alone is taken whatever its length.
 */
const WAITING_MAX = 2_000_000;

/** The hungriest text of the largest request takes 100 MB of the old generation. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 24 };

/** Behind reads, and behind those who sign in: its work is the longest. */
const NICENESS = 10;

/** The module beside this file: compiled in `dist`, as it is written in tests. */
const CLEAN_HTML = new URL(
  `./clean-html${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
).href;

/** The texts of a blog as they may leave the server; '' where there is none. */
export interface ServedTexts {
  readonly draftText: string;
  readonly text: string;
}

/**
 * `cleanHtml` without its time on the event loop: a large text is cleaned on a thread of its own,
 * started by the first one.
 *
 * Every method throws UnavailableError when too much waits for that thread already, or when it
 * dies.
 */
@Injectable()
export class HtmlCleaner implements OnApplicationShutdown {
  private readonly pool = new ThreadPool<string, CleanHtml>({
    filename: CLEAN_HTML,
    name: 'cleanHtml',
    // One for all: the other cores belong to the event loop, the database and the passwords.
    maxThreads: 1,
    resourceLimits: RESOURCE_LIMITS,
    niceness: NICENESS,
    wake: { task: '' },
    lostMessage: 'the text could not be cleaned: try again in a moment',
  });

  /** Characters that were handed over and have not come back. */
  private waiting = 0;

  /** @returns what `cleanHtml` returns */
  async clean(html: string): Promise<CleanHtml> {
    if (html.length <= IN_PLACE_MAX) return cleanHtml(html);
    if (this.waiting > 0 && this.waiting + html.length > WAITING_MAX) {
      throw new UnavailableError('too many long texts are being cleaned: try again in a moment');
    }
    this.waiting += html.length;
    try {
      return await this.pool.run(html);
    } finally {
      this.waiting -= html.length;
    }
  }

  /**
   * The text of a live version: cleaned before it leaves if an older policy (or server) stored it,
   * migrated or not.
   */
  async servedText({ text, htmlVersion }: Pick<Blog, 'text' | 'htmlVersion'>): Promise<string> {
    return this.served(text, htmlVersion);
  }

  /** The same for both texts of a blog. */
  async servedTexts({
    draftText,
    text,
    htmlVersion,
  }: Pick<Blog, 'draftText' | 'text' | 'htmlVersion'>): Promise<ServedTexts> {
    const servedDraft = await this.served(draftText, htmlVersion);
    const isSame = text === draftText;
    return {
      draftText: servedDraft,
      text: isSame ? servedDraft : await this.served(text, htmlVersion),
    };
  }

  /** Not earlier: the server finishes the requests that it has. */
  async onApplicationShutdown(): Promise<void> {
    await this.pool.destroy();
  }

  /** Records of an older server lack what the type promises. */
  private async served(
    html: string | null | undefined,
    htmlVersion: number | null | undefined,
  ): Promise<string> {
    const stored = html ?? '';
    return htmlVersion === HTML_VERSION ? stored : this.clean(stored);
  }
}

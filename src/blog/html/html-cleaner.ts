import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { UnavailableError } from '../../common/http/errors/api.errors.js';
import { ThreadPool } from '../../common/thread-pool.js';
import type { Blog } from '../blog.schema.js';
import { cleanHtml, HTML_VERSION, type CleanHtml } from './clean-html.js';

/**
 * The length up to which a text is cleaned on the event loop, in characters. Most articles are shorter.
 * An article of this length takes 0.7 ms, the slowest markup 5 ms. Sending a text to the thread takes
 * 0.1 ms, and the thread may wait for a processor core.
 */
const IN_PLACE_MAX = 6_000;

/**
 * How many characters may wait for the thread at most. Cleaning them takes 0.25 s for articles and 2.5 s
 * for the slowest markup, and a request has 5 s (src/common/http/connection/deadline.ts). A text that
 * waits alone may be longer.
 */
const WAITING_MAX = 2_000_000;

/** Memory of the thread. The worst text that a request can carry takes 100 MB of the old generation. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 24 };

/** A lower priority than that of reads and password hashes, because its work takes the longest. */
const NICENESS = 10;

/** The module beside this file: JavaScript in `dist`, TypeScript in tests. */
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
 * Cleans HTML without blocking the event loop: a long text is cleaned on a worker thread, which starts
 * with the first one.
 *
 * Every method throws UnavailableError when too many characters wait for the thread, or when the thread
 * dies.
 */
@Injectable()
export class HtmlCleaner implements OnApplicationShutdown {
  private readonly pool = new ThreadPool<string, CleanHtml>({
    filename: CLEAN_HTML,
    name: 'cleanHtml',
    // One thread only: the event loop, the database and password hashes need the other cores.
    maxThreads: 1,
    resourceLimits: RESOURCE_LIMITS,
    niceness: NICENESS,
    wake: { task: '' },
    lostMessage: 'the text could not be cleaned: try again in a moment',
  });

  /** The number of characters that the thread has been sent and has not returned yet. */
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

  /** The published text; cleaned first if it was stored under an older HTML policy. */
  async servedText({ text, htmlVersion }: Pick<Blog, 'text' | 'htmlVersion'>): Promise<string> {
    return this.served(text, htmlVersion);
  }

  /** The draft and the published text, each as `servedText` returns it. */
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

  /** Nest calls it after the last request was answered; until then the thread is needed. */
  async onApplicationShutdown(): Promise<void> {
    await this.pool.destroy();
  }

  /** Records of an older server may lack the text and its version. */
  private async served(
    html: string | null | undefined,
    htmlVersion: number | null | undefined,
  ): Promise<string> {
    const stored = html ?? '';
    return htmlVersion === HTML_VERSION ? stored : this.clean(stored);
  }
}

import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { NO_ACCOUNT, TextThread } from '../../../platform/threads/text-thread.js';
import { siblingModuleUrl } from '../../../platform/threads/thread-pool.js';
import { Env } from '../../../platform/config/env.js';
import type { Blog } from '../blog.schema.js';
import {
  cleanAndReport,
  cleanOnThread,
  htmlVersionOf,
  type CleaningResult,
  type CleaningTask,
} from './clean-html.js';
import { embedOf, type EmbedHosts } from './policy/embeds.js';

/**
 * The length up to which a text is cleaned on the event loop, in characters. Most articles are
 * shorter. An article of this length takes 0.7 ms, the slowest markup of this length 5 ms. Sending
 * a text to the worker thread takes 0.1 ms, and the thread may wait for a processor core.
 */
const IN_PLACE_MAX = 6_000;

/** The texts of a blog as they may leave the server; '' for a missing text. */
export interface ServedTexts {
  readonly draftText: string;
  readonly text: string;
}

/**
 * Cleans HTML without blocking the event loop: a long text is cleaned on a worker thread, which
 * starts with the first long text.
 *
 * The methods that clean throw UnavailableError when too many characters wait for the thread, or when
 * the thread dies.
 */
@Injectable()
export class HtmlCleaner implements OnApplicationShutdown {
  private readonly pool = new TextThread<CleaningTask, CleaningResult>({
    filename: siblingModuleUrl(import.meta.url, 'clean-html'),
    name: cleanOnThread.name,
    // The thread runs this task first, which loads the cleaner.
    wake: { task: { html: '', hosts: [] } },
    busyMessage: 'too many long texts are being cleaned: try again in a moment',
    lostMessage: 'the text could not be cleaned: try again in a moment',
  });

  private readonly hosts: EmbedHosts;

  /** The version of the policy that this cleaner applies, stored with the texts as `htmlVersion`. */
  readonly version: number;

  constructor({ EMBED_HOSTS }: Env) {
    this.hosts = EMBED_HOSTS;
    this.version = htmlVersionOf(EMBED_HOSTS);
  }

  /** Whether `clean` keeps an `iframe` with this URL. */
  canEmbed(src: string): boolean {
    return embedOf({ src }, this.hosts) !== null;
  }

  /**
   * @param account id of the account that has sent the text: accounts have turns on the thread
   * @returns what `cleanAndReport` returns
   */
  async clean(html: string, account = NO_ACCOUNT): Promise<CleaningResult> {
    const { hosts } = this;
    if (html.length <= IN_PLACE_MAX) return cleanAndReport(html, hosts);
    return this.pool.runText({ html, hosts }, html.length, account);
  }

  /** Returns the published text; cleans it first if it was stored under another HTML policy. */
  async servedText(
    { text, htmlVersion }: Pick<Blog, 'text' | 'htmlVersion'>,
    account = NO_ACCOUNT,
  ): Promise<string> {
    return this.served(text, htmlVersion, account);
  }

  /** Returns the draft and the published text, each cleaned as `servedText` does. */
  async servedTexts(
    { draftText, text, htmlVersion }: Pick<Blog, 'draftText' | 'text' | 'htmlVersion'>,
    account = NO_ACCOUNT,
  ): Promise<ServedTexts> {
    const servedDraft = await this.served(draftText, htmlVersion, account);
    const isSame = text === draftText;
    return {
      draftText: servedDraft,
      text: isSame ? servedDraft : await this.served(text, htmlVersion, account),
    };
  }

  /**
   * Ends the thread. Nest calls this after the last request was answered; until then the thread is
   * needed.
   */
  async onApplicationShutdown(): Promise<void> {
    await this.pool.destroy();
  }

  /**
   * Cleans a text unless it was cleaned under the current policy. Records of an older server may lack
   * the text and its version.
   */
  private async served(
    html: string | null | undefined,
    htmlVersion: number | null | undefined,
    account: string,
  ): Promise<string> {
    const stored = html ?? '';
    return htmlVersion === this.version ? stored : (await this.clean(stored, account)).html;
  }
}

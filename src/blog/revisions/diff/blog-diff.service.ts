import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Types } from 'mongoose';
import { TextThread } from '../../../platform/threads/text-thread.js';
import { siblingModuleUrl } from '../../../platform/threads/thread-pool.js';
import { PictureAddresses } from '../../media/serving/picture-addresses.service.js';
import { toBlogDiffView, type BlogDiffView } from '../../core/views/blog-diff.view.js';
import { diffFields, type DiffSide } from './diff-fields.js';
import type { DiffBlock } from './diff-texts.js';
import { diffHtml, type DiffTask } from './diff.worker.js';

/**
 * Largest length of both texts together for a comparison on the event loop, in characters. The
 * slowest texts of this length take 5 ms, articles 2 ms.
 */
const IN_PLACE_MAX = 6_000;

/** Compares revisions without blocking the event loop: long texts are compared on a worker thread. */
@Injectable()
export class BlogDiffService implements OnApplicationShutdown {
  private readonly pool = new TextThread<DiffTask, string>({
    filename: siblingModuleUrl(import.meta.url, 'diff.worker'),
    name: 'diffHtmlAsJson',
    wake: { task: { before: '', after: '' } },
    busyMessage: 'too many long texts are being compared: try again in a moment',
    lostMessage: 'the texts could not be compared: try again in a moment',
  });

  constructor(private readonly pictures: PictureAddresses) {}

  /**
   * @param before the older revision, its text as `cleanHtml` returned it
   * @param after the newer revision, in the same form
   * @param account id of the account that asks: accounts have turns on the thread
   * @throws UnavailableError when too many characters wait for the thread, or when the thread dies
   */
  async diff(before: DiffSide, after: DiffSide, account: Types.ObjectId): Promise<BlogDiffView> {
    const task = { before: before.draftText, after: after.draftText };
    const text = await this.diffTexts(task, account.toHexString());
    return toBlogDiffView(diffFields(before, after), text, this.pictures.signedLinks());
  }

  /**
   * Ends the thread. Nest calls this after the last request was answered; until then the thread is
   * needed.
   */
  async onApplicationShutdown(): Promise<void> {
    await this.pool.destroy();
  }

  private async diffTexts(task: DiffTask, account: string): Promise<readonly DiffBlock[]> {
    const length = task.before.length + task.after.length;
    if (length <= IN_PLACE_MAX) return diffHtml(task);
    return JSON.parse(await this.pool.runText(task, length, account)) as DiffBlock[];
  }
}

import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import type { BlogEvent } from './blog-event.schema.js';

/** What somebody has done with a blog: an event of its history, or a comment. */
export interface BlogAct extends Pick<BlogEvent, 'by'> {
  /** Stays the same if the act is told again. */
  readonly id: string;
  readonly what: BlogEvent['move'] | 'comment';
  readonly blog: Types.ObjectId;
  /** What only a comment has. */
  readonly comment?: {
    readonly _id: Types.ObjectId;
    readonly mentions: readonly Types.ObjectId[];
    /** Who else has commented on the blog. */
    readonly others: readonly Types.ObjectId[];
  };
}

/** Is called at least once for every act. A process may be killed meanwhile, so it must be possible to repeat it. */
export type ActListener = (acts: readonly BlogAct[]) => Promise<void>;

/** Tells other features what was done with blogs, soon after it was done: the outbox relay passes the acts on. */
@Injectable()
export class BlogActs {
  private readonly listeners: ActListener[] = [];

  /** Call it before the application has started, such as in `onModuleInit`. */
  listen(listener: ActListener): void {
    this.listeners.push(listener);
  }

  /** @throws what a listener throws: the caller tells the acts again */
  async tell(acts: readonly BlogAct[]): Promise<void> {
    for (const listener of this.listeners) await listener(acts);
  }
}

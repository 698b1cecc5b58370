import type { Types } from 'mongoose';
import type { UpdateStage } from '../../core/blog.schema.js';
import type { RevisionEntry } from './revision-entry.js';

/** What the stage needs to know about the transition and its revision. */
interface NewRevision {
  readonly now: Date;
  readonly actor: Types.ObjectId;
  /** The content that was stored for the transition; left out for a publication. */
  readonly content?: Types.ObjectId;
  /** Number of revisions that the blog keeps. */
  readonly revisionsKept: number;
}

/**
 * A stage of an update pipeline that adds the revision of a transition, and drops the oldest
 * revisions if there are more than `revisionsKept`. The first and the latest publication stay. The
 * stage must precede the one that increments `rev`.
 */
export function addRevision(
  transition: string,
  { now, actor, content, revisionsKept }: NewRevision,
): UpdateStage {
  const entry: Readonly<Record<keyof RevisionEntry, unknown>> = {
    rev: { $add: [{ $ifNull: ['$rev', 0] }, 1] },
    move: transition,
    by: actor,
    at: now,
    // The latest revision of a submitted blog is the submitted one.
    content: content ?? { $last: '$revisions.content' },
  };
  const publications = {
    $map: {
      input: { $filter: { input: '$$all', cond: { $eq: ['$$this.move', 'publish'] } } },
      in: '$$this.rev',
    },
  };
  return {
    $set: {
      revisions: {
        $let: {
          vars: { all: { $concatArrays: [{ $ifNull: ['$revisions', []] }, [entry]] } },
          in: {
            $filter: {
              input: '$$all',
              cond: {
                $or: [
                  { $in: ['$$this.rev', { $slice: ['$$all.rev', -revisionsKept] }] },
                  { $in: ['$$this.rev', [{ $min: publications }, { $max: publications }]] },
                ],
              },
            },
          },
        },
      },
    },
  };
}

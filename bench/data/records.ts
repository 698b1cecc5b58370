import mongoose, { type mongo } from 'mongoose';
import { built, type TransitionName } from '../support/built.ts';
import { randomOf } from '../support/statistics.ts';
import { pick, type MakeArticle } from './articles.ts';
import { AUTHOR_ACCOUNTS, SEEDED_UNTIL } from './people.ts';

const { BLOG_STATES } = await built('blog/core/blog.state');
const { updateOf } = await built('blog/core/transitions/transition-update');
const { ObjectId } = mongoose.mongo;

/** Earliest date of seeded articles. They are spread from it to SEEDED_UNTIL, at the same dates in every run. */
const FROM = Date.UTC(2015, 0, 1);
const HOUR_MS = 3_600_000;
/** The middle digits of a generated ObjectId; the first digits are the time, the last ones the number of the record. */
const ID_MIDDLE = 'be7c4be7c4';
export type DraftRecord = ReturnType<MakeArticle> & {
  readonly _id: mongo.ObjectId;
  /** Words by which a search finds the article when it is live. */
  readonly words?: readonly string[];
};

/** The transitions from a new draft to a live article. */
export const TO_LIVE: readonly TransitionName[] = ['submit', 'publish'];

/**
 * The server's update pipelines of transitions of a new draft, by default to a live article. Times and users come from the
 * record. The events and the public changes are removed: the outbox relay would first have to carry over those of a
 * million articles.
 */
export function stagesOf(transitions = TO_LIVE): object[] {
  // The server passes a Date here. In a pipeline an expression works as well.
  const now = { $add: ['$createdAt', HOUR_MS] } as unknown as Date;
  const actor = '$author' as unknown as mongo.ObjectId;
  return [
    ...transitions.flatMap((transition) => updateOf(transition, { now, actor })),
    ...(transitions.includes('publish') ? [{ $set: { 'live.words': '$words' } }] : []),
    { $unset: ['events', 'publicChanges', 'words'] },
    // Contents of revisions are not stored, because no measurement reads a seeded revision.
    { $set: { revisions: [] } },
  ];
}

/** Makes a function that makes records of the collection `blogs` as new drafts. @param count number of records */
export function recordMaker(
  makeArticle: MakeArticle,
  { count, seed }: Record<'count' | 'seed', number>,
) {
  const random = randomOf(seed + 1);
  const stepMs = (SEEDED_UNTIL.getTime() - FROM - HOUR_MS) / (count + 1);
  const createdAtOf = (number: number) => new Date(Math.floor(FROM + (number + random()) * stepMs));
  /** @param number number of the record, 0 for the oldest */
  return (number: number): DraftRecord => {
    const createdAt = createdAtOf(number);
    const copy = makeArticle(number);
    const author = new ObjectId(pick(random, AUTHOR_ACCOUNTS).id);
    return {
      _id: idOf(createdAt, number),
      ...copy,
      slugs: [copy.slug],
      ...BLOG_STATES.draft,
      status: true,
      author,
      createdBy: author,
      updatedBy: author,
      score: 0.01,
      rev: 1,
      createdAt,
      updatedAt: createdAt,
    } as DraftRecord;
  };
}

function idOf(createdAt: Date, number: number): mongo.ObjectId {
  const seconds = Math.floor(createdAt.getTime() / 1_000);
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
  return new ObjectId(`${hex(seconds, 8)}${ID_MIDDLE}${hex(number, 6)}`);
}

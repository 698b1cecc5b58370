import mongoose, { type mongo } from 'mongoose';
import { built, type BlogState, type MoveName } from '../support/built.ts';
import { randomOf } from '../support/statistics.ts';
import { pick, type MakeArticle } from './articles.ts';
import { AUTHOR_ACCOUNTS, SEEDED_UNTIL } from './people.ts';

const { BLOG_STATES } = await built('blog/blog.state');
const { updateOf } = await built('blog/moves/move-update');
const { ObjectId } = mongoose.mongo;

/** Publications are spread over these years; the same dates in every run. */
const FROM = Date.UTC(2015, 0, 1);
const HOUR_MS = 3_600_000;
/** The middle of a made id; the front is the time, the end the number. */
const ID_MIDDLE = 'be7c4be7c4';
/** Every so many-th live article has a draft of its next version. */
const DRAFT_EVERY = 50;
/** Beside the live ones, as shares of them. */
const UNPUBLISHED_SHARE = { draft: 0.01, review: 0.005 };

export type DraftRecord = ReturnType<MakeArticle> & {
  readonly _id: mongo.ObjectId;
  /** By which a search finds it when it is live. */
  readonly words?: readonly string[];
};

type SeededState = Exclude<BlogState, 'live in review'>;

/** The moves by which a new draft comes into each state. */
const MOVES_TO: Record<SeededState, readonly MoveName[]> = {
  draft: [],
  'in review': ['submit'],
  live: ['submit', 'publish'],
  'live with draft': ['submit', 'publish', 'edit'],
};

/** What the edit of a live article changes. */
const REVISION = {
  description: { $concat: ['$description', ' (revised)'] },
  descriptionWords: { $slice: [{ $concatArrays: ['$descriptionWords', ['revised']] }, 40] },
};

/**
 * What the server makes of a new draft on its way to a state: the update pipelines of its moves, with
 * times and persons taken from the record. The events of the moves are left out: the server would
 * first store those of a million articles as revisions.
 */
export function stagesTo(state: SeededState): object[] {
  // An update takes values here; in a pipeline an expression stands for them as well.
  const now = { $add: ['$createdAt', HOUR_MS] } as unknown as Date;
  const actor = '$author' as unknown as mongo.ObjectId;
  return [
    ...MOVES_TO[state].flatMap((move) => updateOf(move, { now, actor })),
    ...(state === 'live with draft' ? [{ $set: REVISION }] : []),
    ...(MOVES_TO[state].includes('publish') ? [{ $set: { 'live.words': '$words' } }] : []),
    { $unset: ['events', 'words'] },
    // Their contents are not stored; nothing that is measured reads a seeded revision.
    { $set: { revisions: [] } },
  ];
}

/**
 * Makes records of the collection `blogs`, all as new drafts, and says into which state each is to
 * come. Some drafts and some in review follow the live ones.
 *
 * @param count of live articles
 */
export function recordMaker(
  makeArticle: MakeArticle,
  { count, seed }: Record<'count' | 'seed', number>,
) {
  const random = randomOf(seed + 1);
  const stepMs = (SEEDED_UNTIL.getTime() - FROM - HOUR_MS) / (count + 1);
  const drafts = Math.ceil(count * UNPUBLISHED_SHARE.draft);
  const inReview = Math.ceil(count * UNPUBLISHED_SHARE.review);
  const stateOf = (number: number): SeededState => {
    if (number < count) return number % DRAFT_EVERY === 0 ? 'live with draft' : 'live';
    return number < count + drafts ? 'draft' : 'in review';
  };
  const createdAtOf = (number: number) =>
    number < count
      ? new Date(Math.floor(FROM + (number + random()) * stepMs))
      : new Date(SEEDED_UNTIL.getTime() - 2 * HOUR_MS - (number - count) * 1_000);
  return {
    total: count + drafts + inReview,
    /** @param number counted from 0; the live ones come first, the oldest at 0 */
    make(number: number): { state: SeededState; record: DraftRecord } {
      const createdAt = createdAtOf(number);
      const copy = makeArticle(number);
      const author = new ObjectId(pick(random, AUTHOR_ACCOUNTS).id);
      const record = {
        _id: idOf(createdAt, number),
        ...copy,
        slugs: [copy.slug],
        ...BLOG_STATES.draft,
        status: true,
        ...{ author, createdBy: author, updatedBy: author },
        score: 0.01,
        rev: 1,
        ...{ createdAt, updatedAt: createdAt },
      };
      return { state: stateOf(number), record };
    },
  };
}

function idOf(createdAt: Date, number: number): mongo.ObjectId {
  const seconds = Math.floor(createdAt.getTime() / 1_000);
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
  return new ObjectId(`${hex(seconds, 8)}${ID_MIDDLE}${hex(number, 6)}`);
}

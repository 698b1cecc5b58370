import mongoose from 'mongoose';
import { numbersFrom } from '../load/shuffle.mjs';

const { ObjectId } = mongoose.mongo;

/** Publications are spread over these years; the same dates in every run. */
const FROM = Date.UTC(2015, 0, 1);
/** Whatever is written later was written by a measurement, and is removed before the next one. */
export const SEEDED_UNTIL = new Date(Date.UTC(2026, 0, 1));
const HOUR_MS = 3_600_000;
/** The middle of a made id; the front is the time, the end the number. */
const ID_MIDDLE = 'be7c4be7c4';
/** Every so many-th live article has a draft of its next version. */
const DRAFT_EVERY = 50;
/** Beside the live ones, in percent of them. */
const UNPUBLISHED_PERCENT = { draft: 1, review: 0.5 };

/**
 * Makes the stored records of the collection `blogs`, as `src/blog/blog.schema.ts` says.
 *
 * @param makeArticle from a number to the fields of a working copy
 * @param count of live articles; some drafts and some in review come on top
 */
export function recordMaker({ makeArticle, authors, count, seed }) {
  const random = numbersFrom(seed + 1);
  const stepMs = (SEEDED_UNTIL.getTime() - FROM - HOUR_MS) / (count + 1);
  const drafts = Math.ceil((count * UNPUBLISHED_PERCENT.draft) / 100);
  const inReview = Math.ceil((count * UNPUBLISHED_PERCENT.review) / 100);

  const recordOf = (number, publishedAt, flags) => {
    const { draftText, ...copy } = makeArticle(number);
    const author = authors[Math.floor(random() * authors.length)]._id;
    const createdAt = new Date(publishedAt.getTime() - HOUR_MS);
    return {
      _id: idOf(createdAt, number),
      ...copy,
      draftText,
      slugs: [copy.slug],
      ...flags,
      status: true,
      author,
      createdBy: author,
      updatedBy: author,
      score: 0.01,
      rev: 1,
      createdAt,
      updatedAt: createdAt,
    };
  };

  return {
    total: count + drafts + inReview,
    /** @param number counted from 0; the live ones come first, the oldest at 0 */
    make(number) {
      if (number >= count) {
        const isDraft = number < count + drafts;
        const at = new Date(SEEDED_UNTIL.getTime() - HOUR_MS - (number - count) * 1_000);
        return recordOf(number, at, flagsOf(!isDraft, isDraft, false));
      }
      const at = new Date(Math.floor(FROM + HOUR_MS + (number + random()) * stepMs));
      return live(recordOf(number, at, flagsOf(false, false, true)), at, number);
    },
  };
}

/** What publishing makes of a record; `MOVES` in `src/blog/blog.state.ts` is the original. */
function live(record, at, number) {
  const { title, description, slug, tags, tagKeys, titleWords, descriptionWords, imgUrl } = record;
  const copy = { title, description, slug, tags, tagKeys, titleWords, descriptionWords };
  const published = {
    ...record,
    publishedAt: at,
    text: record.draftText,
    live: { at, ...copy, ...(imgUrl === undefined ? {} : { imgUrl }) },
    rev: 3,
    updatedAt: at,
  };
  if (number % DRAFT_EVERY !== 0) return published;
  return {
    ...published,
    description: `${description} (revised)`,
    descriptionWords: [...descriptionWords, 'revised'].slice(0, 40),
    drafted: true,
    rev: 4,
  };
}

function flagsOf(submitted, drafted, published) {
  return { submitted, drafted, published };
}

function idOf(createdAt, number) {
  const seconds = Math.floor(createdAt.getTime() / 1_000);
  const hex = (value, digits) => value.toString(16).padStart(digits, '0');
  return new ObjectId(`${hex(seconds, 8)}${ID_MIDDLE}${hex(number, 6)}`);
}

import { randomBytes } from 'node:crypto';
import { untilStable } from '../../../platform/text/characters.js';
import { dashedWords } from './slugs/dashed-words.js';

/** The greatest length of a slug, in code points. */
export const SLUG_LENGTH_MAX = 200;

/** The slug of a title without any usable character. */
const FALLBACK_SLUG = 'blog';

/**
 * Greatest number in a numbered ending: `base-2` to `base-9` are tried before an ending is drawn at
 * random.
 */
const LAST_NUMBERED_ENDING = 9;

/** Number of random endings that are offered. Two blogs hardly ever get the same random ending. */
const RANDOM_ENDINGS = 3;

/** Numbers that are no digits, such as superscripts, with their marks. A slug drops them. */
const OTHER_NUMBERS = /[^\P{N}\p{Nd}]\p{M}*/gu;
const DASH_RUN = /-{2,}/g;
const OUTER_DASH = /^-|-$/g;
const ONLY_DOTS = /^\.+$/;

/**
 * The one spelling under which a slug is stored and looked up.
 *
 * @param raw A slug as a client wrote it, in a body or a path, or a title. The caller limits its
 *   length, because NFC sorts combining marks in quadratic time: 2,000 take 1 ms, 50,000 take 0.5 s.
 * @returns The normalised slug; '' when no character is left. It may be too long to be stored (see
 *   {@link isUsableSlug}). Normalising it again changes nothing.
 */
export function normalizeSlug(raw: string): string {
  // One pass is not enough: after a character is dropped, a letter and an accent may be adjacent, and
  // NFC composes them. The loop ends, because a composed letter is in lower case and is not dropped.
  return untilStable(raw, (slug) =>
    dashedWords(slug.replace(OTHER_NUMBERS, ''), 'slug')
      .replace(DASH_RUN, '-')
      .replace(OUTER_DASH, ''),
  );
}

/**
 * The slugs under which a blog may be stored that a path names, in the order in which they are looked
 * up: the spelling of the path, which may be a slug of an earlier version or of its normal form, and
 * then the present normal form.
 *
 * @param raw a slug as it stands in a path
 */
export function storedSlugs(raw: string): string[] {
  const asStored = raw.trim().toLowerCase().normalize('NFC');
  return [...new Set([asStored, normalizeSlug(raw)])].filter(isUsableSlug);
}

/**
 * Whether a normalised slug may be stored: it has 1 to 200 code points, and at least one is not a dot,
 * because URL parsers resolve `.` and `..`.
 *
 * @param slug What {@link normalizeSlug} returned.
 */
export function isUsableSlug(slug: string): boolean {
  return slug !== '' && !ONLY_DOTS.test(slug) && Array.from(slug).length <= SLUG_LENGTH_MAX;
}

/** The characters that the slugs of any version have. */
const STORED_SLUG = /^[\p{L}\p{M}\p{Nd}\-_.~]+$/u;

/** Whether this version or an earlier one could have stored the value as a slug, in its normal form of then. */
export function isStoredSlug(value: unknown): value is string {
  return typeof value === 'string' && STORED_SLUG.test(value) && isUsableSlug(value);
}

/**
 * Makes the slug of a blog whose author gave none.
 *
 * @param title The title as typed.
 * @returns A normalised, usable slug: the title's first 200 code points, or `blog`.
 */
export function slugFromTitle(title: string): string {
  const slug = cut(normalizeSlug(title), SLUG_LENGTH_MAX);
  return isUsableSlug(slug) ? slug : FALLBACK_SLUG;
}

/**
 * The slugs to try, in order, for a blog whose author gave none: the base, `-2` to `-9`, then
 * random endings. A random ending is drawn only when the caller asks for the next slug.
 *
 * @param base What {@link slugFromTitle} returned.
 * @param random Draws a short ending of `[a-z0-9]`, a different one each time; if left out, random
 *   bytes in hex.
 * @returns Usable slugs of at most 200 code points; the base is cut to make room for an ending.
 */
export function* slugCandidates(
  base: string,
  random: () => string = randomEnding,
): Generator<string, void> {
  yield base;
  for (let number = 2; number <= LAST_NUMBERED_ENDING; number += 1) {
    yield withEnding(base, String(number));
  }
  for (let drawn = 0; drawn < RANDOM_ENDINGS; drawn += 1) {
    yield withEnding(base, random());
  }
}

function randomEnding(): string {
  return randomBytes(4).toString('hex');
}

function withEnding(base: string, ending: string): string {
  return `${cut(base, SLUG_LENGTH_MAX - ending.length - 1)}-${ending}`;
}

/** The first code points of a slug. A dash that is last after the cut is removed. */
function cut(slug: string, length: number): string {
  const points = Array.from(slug);
  return points.length <= length ? slug : points.slice(0, length).join('').replace(OUTER_DASH, '');
}

import { hasLength, type Bounds } from '../../../platform/http/validation/text-length.js';
import { isHttpUrl } from '../../../platform/http/validation/http-url.js';
import { BLOG_FIELDS } from '../../../blog/core/blog-fields.js';
import { onOneLine } from '../../../blog/core/text/visible-text.js';
import {
  isUsableSlug,
  normalizeSlug,
  slugCandidates,
  slugFromTitle,
} from '../../../blog/core/text/slug.js';
import type { IsReserved } from '../../../blog/core/text/slugs/reserved-slugs.js';
import { newTag } from '../../../blog/core/dto/checked-fields.js';
import { hasVisible, withoutForbidden } from '../../../platform/text/characters.js';
import { dedupeTags } from '../../../blog/core/text/words.js';
import { PLAIN_DRAFT, type ImportedArticle } from './imported-article.js';
import { isRelativeUrl } from './relative-links.js';

/** Length of a description that is made of the text, in code points. */
const DESCRIPTION_LENGTH = 200;
/** Length of a title that is made of the text, in code points. */
const TITLE_LENGTH = 60;
/** The reason of a draft of which the operator has made one. */
const ASKED_FOR = '--draft';
/** Longest part of a value that a note shows, in characters. */
const SHOWN_LENGTH = 100;
/**
 * Longest part of a slug that is read, in characters. Valid slugs are shorter, and a longer text
 * would be slow to normalise.
 */
const SLUG_READ_MAX = 1_000;

/** A value within the bounds of Pressroom, and notes about what was changed to fit the bounds. */
export interface Planned<Value> {
  readonly value: Value;
  readonly notes: readonly string[];
}

/** The slug that an article should have: its own in normal form, cut if it is too long, or one made of its title. */
export function plannedSlug(
  { slug, title }: ImportedArticle,
  isReserved: IsReserved,
): Planned<string> {
  const given = slug === null ? '' : normalizeSlug(slug.slice(0, SLUG_READ_MAX));
  const base = isUsableSlug(given) ? given : slugFromTitle(given === '' ? (title ?? '') : given);
  const value = [...slugCandidates(base)].find((each) => !isReserved(each)) ?? base;
  if (value !== base) {
    return { value, notes: [`the site needs the address "${base}": its slug is now "${value}"`] };
  }
  // A slug that differs only in case needs no note: site generators write URLs in lower case.
  if (slug === null || value === slug.toLowerCase()) return { value, notes: [] };
  return { value, notes: [`slug "${cutTo(slug, SHOWN_LENGTH)}" is now "${value}"`] };
}

/**
 * The title, or the first words of the text if there is none.
 *
 * @param text the text without markup
 */
export function plannedTitle({ title }: ImportedArticle, text: string): Planned<string> {
  const given = plain(title ?? '');
  if (!hasVisible(given)) {
    const value = cutAtWord(plain(text), TITLE_LENGTH);
    return { value, notes: [`it has no title: the first words of the text are its title now`] };
  }
  const { value, notes } = shortened(given, 'title', BLOG_FIELDS.title);
  return { value, notes: [...strippedNote(title ?? '', 'title'), ...notes] };
}

/** The description. If it is missing, the beginning of the text; if that is missing as well, the title. */
export function plannedDescription(
  { description }: ImportedArticle,
  { text, title }: { readonly text: string; readonly title: string },
): Planned<string> & { readonly madeOf: 'text' | 'title' | null } {
  const given = plain(description ?? '');
  if (hasVisible(given)) {
    const { value, notes } = shortened(given, 'description', BLOG_FIELDS.description);
    const stripped = strippedNote(description ?? '', 'description');
    return { value, notes: [...stripped, ...notes], madeOf: null };
  }
  const made = cutAtWord(plain(text), DESCRIPTION_LENGTH);
  return hasVisible(made)
    ? { value: made, notes: [], madeOf: 'text' }
    : { value: title, notes: [], madeOf: 'title' };
}

/** The tags that are within the bounds of Pressroom. */
export function plannedTags({ tags }: ImportedArticle): Planned<readonly string[]> {
  const { maxItems, min, max } = BLOG_FIELDS.tags;
  const checked = tags.map((tag) => newTag(plain(tag)));
  const named = checked.filter(({ problem }) => problem === null).map(({ value }) => value);
  // What shows nothing is left out without a word; dots are named.
  const dots = checked.filter(({ value, problem }) => problem !== null && hasVisible(value));
  const distinct = dedupeTags(named);
  const isUsable = (tag: string): boolean => hasLength(tag, { min, max });
  const usable = distinct.filter(isUsable);
  const unusable = distinct.filter((tag) => !isUsable(tag));
  const surplus = usable.slice(maxItems);
  return {
    value: usable.slice(0, maxItems),
    notes: [
      ...new Set(tags.flatMap((tag) => strippedNote(tag, 'tag'))),
      ...dots.map(({ value }) => `tag "${value}" left out: no address can name it`),
      ...unusable.map((tag) => `tag "${cutTo(tag, max)}…" left out: it is longer than ${max}`),
      ...(surplus.length > 0
        ? [
            `tags above ${maxItems} left out: ${cutTo(surplus.map((tag) => `"${tag}"`).join(', '), SHOWN_LENGTH)}`,
          ]
        : []),
    ],
  };
}

/** The absolute URL of the picture; null if it has none that Pressroom accepts. */
export function plannedPicture({ imgUrl, base }: ImportedArticle): Planned<string | null> {
  const given = imgUrl?.trim() ?? '';
  if (given === '') return { value: null, notes: [] };
  const absolute = given.startsWith('//') ? `https:${given}` : given;
  const url = URL.parse(absolute, base ?? undefined)?.href ?? absolute;
  if (isHttpUrl(url)) return { value: url, notes: [] };
  const why =
    base === null && isRelativeUrl(absolute)
      ? 'give its site by --base-url URL'
      : /^https?:/.test(url)
        ? 'its URL is too long or not valid'
        : 'it is no http or https URL';
  return { value: null, notes: [`picture "${cutTo(given, SHOWN_LENGTH)}" left out: ${why}`] };
}

/** When an article was created, published and changed last. */
export interface PlannedTimes {
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Time of publication; null for a draft. */
  readonly publishedAt: Date | null;
}

/**
 * The times in order, none of them in the future. An article becomes a draft if it is hidden in its source,
 * if its publication is in the future, or if it has no date: it would be today's news.
 *
 * @param asDraft whether the article becomes a draft in any case
 * @returns also why it becomes a draft; null for an article that readers see
 */
export function plannedTimes(
  article: ImportedArticle,
  { now, asDraft }: { readonly now: Date; readonly asDraft: boolean },
): Planned<PlannedTimes> & { readonly draftReason: string | null } {
  const given = article.publishedAt ?? article.createdAt;
  const draftReason = article.hidden ?? (asDraft ? ASKED_FOR : whyNotYet(given, now));
  const isTooOld = draftReason === null && given !== null && given <= new Date(0);
  const publishedAt = draftReason === null ? (isTooOld ? new Date(1) : given) : null;
  const createdAt = earliest([article.createdAt ?? given ?? now, publishedAt ?? now, now]);
  const changedAt = article.updatedAt ?? publishedAt ?? createdAt;
  const updatedAt = earliest([latest([changedAt, publishedAt ?? createdAt]), now]);
  const isNoted = draftReason !== null && ![PLAIN_DRAFT, ASKED_FOR].includes(draftReason);
  return {
    value: { createdAt, updatedAt, publishedAt },
    draftReason,
    notes: [
      ...(isTooOld ? ['published before 1970: the date is 1970-01-01 now'] : []),
      ...(isNoted ? [`${draftReason}: imported as a draft`] : []),
    ],
  };
}

/** Why an article that is not hidden cannot be live now; null if it can. */
function whyNotYet(publishedAt: Date | null, now: Date): string | null {
  if (publishedAt === null) return 'it has no date';
  return publishedAt > now ? `to be published at ${publishedAt.toISOString()}` : null;
}

/** The text as one line, without characters that cannot be stored. */
export function plain(text: string): string {
  return onOneLine(withoutForbidden(text.toWellFormed()));
}

function strippedNote(text: string, field: string): string[] {
  const isStripped = withoutForbidden(text) !== text;
  return isStripped ? [`${field}: characters removed that control the output`] : [];
}

function shortened(text: string, field: string, { max }: Bounds): Planned<string> {
  const value = cutTo(text, max);
  return value === text
    ? { value, notes: [] }
    : { value, notes: [`${field} cut to ${max} characters`] };
}

/** Cuts a text to a number of code points. */
function cutTo(text: string, length: number): string {
  if (text.length <= length) return text;
  const points = Array.from(text.slice(0, 2 * length));
  return points.length <= length ? text : points.slice(0, length).join('');
}

/** Cuts a text after a word, and adds an ellipsis. */
function cutAtWord(text: string, length: number): string {
  const cut = cutTo(text, length);
  if (cut === text) return text;
  const blank = cut.lastIndexOf(' ');
  return `${(blank > length / 2 ? cut.slice(0, blank) : cut.slice(0, -1)).trimEnd()}…`;
}

function earliest(dates: readonly Date[]): Date {
  return new Date(Math.min(...dates.map(Number)));
}

function latest(dates: readonly Date[]): Date {
  return new Date(Math.max(...dates.map(Number)));
}

import { isDeepStrictEqual } from 'node:util';
import {
  forbiddenProblem,
  hasVisible,
  orderProblem,
  withoutNeedlessInvisible,
  withSingleBlanks,
} from '../../../platform/text/characters.js';
import type { FieldError } from '../../../platform/http/envelope/envelope.js';
import { InvalidBodyError, type ApiError } from '../../../platform/http/errors/api.errors.js';
import {
  charactersProblem,
  newText,
  type NewText,
} from '../../../platform/http/validation/new-text.js';
import type { CoverChoice } from '../../media/cover/cover.js';
import { BLOG_FIELDS, LIVE_FIELDS, ruleOf, type LiveField, type ValueOf } from '../blog-fields.js';
import { SlugReservedError } from '../blog.errors.js';
import type { IsReserved } from '../text/slugs/reserved-slugs.js';
import { isUsableSlug, normalizeSlug } from '../text/slug.js';
import { visibleText } from '../text/visible-text.js';
import { tagKey } from '../text/words.js';
import { unusableSlug } from './slug.decorator.js';

/** The fields of an article, except its text, as a request sends them or a blog stores them. */
export type PlainFields = {
  readonly [Name in LiveField]?: ValueOf<Name, string, CoverChoice> | null | undefined;
};

interface CheckedFields<Fields> {
  /** The fields as they are to be stored. */
  readonly fields: Fields;
  /** Why they cannot be stored; null if they can. */
  readonly refusal: ApiError | null;
  /** Whether the fields can be stored exactly as they were sent. */
  readonly isAsSent: boolean;
}

/**
 * Brings the fields of a request into the form in which they are stored, and checks their characters.
 * A field, or a tag, that repeats what the blog stores already is accepted as it is: an earlier version
 * may have accepted it.
 *
 * @param stored the fields of the blog; empty for a new one
 */
export function checkedFields<Fields extends PlainFields>(
  sent: Fields,
  stored: PlainFields,
  isReserved: IsReserved,
): CheckedFields<Fields> {
  const fields: Record<string, unknown> = { ...sent };
  const errors: FieldError[] = [];
  for (const name of LIVE_FIELDS) {
    const value: unknown = sent[name];
    const check = CHECKS[ruleOf(name).kind];
    if (!check || value === undefined || value === null) continue;
    const known: readonly unknown[] = [stored[name]].flat();
    const accepted = (item: string, path: string): string => {
      if (known.includes(item)) return item;
      const { value: checked, problem } = check(item);
      if (problem !== null) errors.push({ field: path, message: `${path} ${problem}` });
      return checked;
    };
    fields[name] = Array.isArray(value)
      ? value.map((item, index) => accepted(String(item), `${name}.${index}`))
      : accepted(value as string, name);
  }
  const slug = fields['slug'];
  const isNewSlug = typeof slug === 'string' && slug !== stored.slug;
  const reserved = isNewSlug && isReserved(slug) ? new SlugReservedError(slug) : null;
  return {
    fields: fields as Fields,
    refusal: errors.length > 0 ? new InvalidBodyError(errors) : reserved,
    isAsSent: isDeepStrictEqual(fields, { ...sent }),
  };
}

type Check = (sent: string) => NewText;

/** How the texts of each kind of field are checked; null if the DTO has checked them. */
const CHECKS: Readonly<Record<ReturnType<typeof ruleOf>['kind'], Check | null>> = {
  text: (sent) => newText(sent),
  slug: newSlug,
  tags: newTag,
  address: (sent) => ({ value: sent, problem: orderProblem(sent) }),
  html: null,
  markdown: null,
  picture: null,
};

function newSlug(sent: string): NewText {
  const value = normalizeSlug(sent);
  const problem = isUsableSlug(value) ? null : unusableSlug(BLOG_FIELDS.slug.max);
  return { value, problem: forbiddenProblem(sent) ?? problem };
}

/** Parts of a path that browsers resolve instead of sending them (URL Standard, "double-dot URL path segment"). */
const DOTS = /^(?:\.|%2e){1,2}$/i;

/** A tag is kept as written, but for characters that show nothing and repeated blanks. */
export function newTag(sent: string): NewText {
  const value = withoutNeedlessInvisible(withSingleBlanks(sent)).trim();
  const isDots = DOTS.test(tagKey(value));
  return {
    value,
    problem:
      forbiddenProblem(sent) ??
      charactersProblem(value) ??
      (isDots ? 'must not be one or two dots: no address can name it' : null),
  };
}

/** Elements that a reader sees although they have no text. */
const SHOWS = /<(?:img|iframe|video|audio|hr|input)\b/;

/**
 * @param html what cleaning returned, which has dropped control characters
 * @returns the end of an error message about a text that shows nothing, or changes the order of characters
 */
export function htmlProblem(html: string): string | null {
  return showsNothing(html)
    ? 'must show something: words, a picture or a video'
    : orderProblem(html);
}

/** @param html what cleaning returned */
export function showsNothing(html: string): boolean {
  return !SHOWS.test(html) && !hasVisible(visibleText(html));
}

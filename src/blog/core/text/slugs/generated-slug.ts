/** A change of the slug, or of the title that a generated slug follows. */
interface SlugEdit {
  readonly title?: string | undefined;
  /** The slug of the request. */
  readonly slug?: string | undefined;
  /** A slug that was made from the title of the request. */
  readonly generatedSlug?: string | undefined;
}

const literal = (value: string) => ({ $literal: value });

/**
 * Whether the server has made the slug. A slug that a version without `generatedSlug` has stored since
 * differs from the field, and so counts as given.
 */
const IS_GENERATED = { $eq: ['$slug', '$generatedSlug'] };

/**
 * Expressions for `slug` and `generatedSlug` after an edit, evaluated on the blog before it. Until the first
 * submission, a slug that the server has made follows the title. A request that repeats the present slug does
 * not give it.
 */
export function slugAfterEdit({ title, slug, generatedSlug }: SlugEdit): Record<string, unknown> {
  const isRepeated = slug === undefined ? true : { $eq: ['$slug', literal(slug)] };
  const given =
    slug === undefined
      ? {}
      : { slug: literal(slug), generatedSlug: keptIf(isRepeated, '$generatedSlug') };
  if (title === undefined || generatedSlug === undefined) return given;
  const follows = {
    $and: [
      IS_GENERATED,
      { $lte: ['$submittedAt', null] },
      { $ne: ['$title', literal(title)] },
      isRepeated,
    ],
  };
  const otherwise = { slug: '$slug', generatedSlug: '$generatedSlug', ...given };
  return {
    slug: { $cond: [follows, literal(generatedSlug), otherwise.slug] },
    generatedSlug: { $cond: [follows, literal(generatedSlug), otherwise.generatedSlug] },
  };
}

/** Expressions for a slug that the server replaces by another one: it goes on following the title if it did. */
export function slugAfterReplacement(slug: string): Record<string, unknown> {
  return {
    slug: literal(slug),
    generatedSlug: keptIf(IS_GENERATED, literal(slug)),
  };
}

function keptIf(condition: unknown, value: unknown): unknown {
  return { $cond: [condition, value, '$$REMOVE'] };
}

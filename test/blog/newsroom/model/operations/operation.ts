import fc from 'fast-check';
import type { Outcome } from '../rules.js';
import type { Content, ModelBlog, Who, World } from '../world.js';

/** An answer of the server. */
export interface Reply {
  readonly status: number;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The revision number in the ETag; NaN without an ETag. */
  readonly rev: number;
}

/** One use of an operation: the blog, the user, and the arguments that were drawn. */
export interface Call<Args> {
  readonly world: World;
  readonly blog: ModelBlog;
  readonly by: Who;
  /** The revision number in `If-Match`; null without this header. */
  readonly ifMatch: number | null;
  readonly args: Args;
}

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object;
}

/** A request of the API with random arguments, and the answer that the model expects. */
export interface Operation<Args = unknown> {
  readonly by: readonly Who[];
  /** Whether the admin sends the request, whichever user is drawn. */
  readonly asAdmin?: true;
  /** Whether the request may have `If-Match`. */
  readonly isConditional?: true;
  /** Whether it takes effect at one moment, so that it may run concurrently with another operation. */
  readonly isAtomic: boolean;
  readonly args: fc.Arbitrary<Args>;
  request(call: Call<Args>): Request;
  /** Changes the world. @returns the expected answer */
  rule(call: Call<Args>): Outcome;
}

/** Lets the compiler infer the arguments of an operation, which is atomic unless `isAtomic` is false. */
export function operation<Args>({
  isAtomic = true,
  ...spec
}: Omit<Operation<Args>, 'isAtomic'> & { readonly isAtomic?: boolean }): Operation {
  return { ...spec, isAtomic };
}

const SLUGS = ['one', 'two', 'three'] as const;
/** Few numbers, so that edits and restored revisions often repeat what is stored. */
const anyNumber = fc.nat({ max: 5 });

/** @param run ends each slug, so that no two runs share a slug */
export function contentOf({ number, slug }: DrawnContent, run: string): Content {
  return { number, slug: `${slug}-${run}` };
}

interface DrawnContent {
  readonly number: number;
  readonly slug: (typeof SLUGS)[number];
}

export const drawnContent: fc.Arbitrary<DrawnContent> = fc.record({
  number: anyNumber,
  slug: fc.constantFrom(...SLUGS),
});

export const someone = fc.constantFrom<Who>('ann', 'ben', 'cleo');
export const anyNote = fc.constantFrom('Please name your sources.', 'The second part is new.');
/** How many revisions are newer than the revision to restore. */
export const revisionIndex = fc.nat({ max: 3 });

export const fieldsOf = ({ number, slug }: Content) => ({
  title: `Title ${number}`,
  slug,
  draftText: textOf(number),
});

export const textOf = (number: number): string =>
  `<p>The words of number ${number} stand here.</p>`;

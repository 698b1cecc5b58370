import fc from 'fast-check';
import type { Outcome } from '../rules.js';
import type { Content, ModelBlog, Who, World } from '../world.js';

/** An answer of the server. */
export interface Reply {
  readonly status: number;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The revision in the ETag; NaN without an ETag. */
  readonly rev: number;
}

/** Who asks what, of which blog. */
export interface Call<Args> {
  readonly world: World;
  readonly blog: ModelBlog;
  readonly by: Who;
  /** The revision in `If-Match`. */
  readonly ifMatch: number | null;
  readonly args: Args;
}

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object;
}

/** A request of the API with random arguments, and what the model says of it. */
export interface Operation<Args = unknown> {
  readonly by: readonly Who[];
  /** The admin sends the request, whoever is drawn. */
  readonly asAdmin?: true;
  /** Whether the request may have `If-Match`. */
  readonly isConditional?: true;
  /** Whether it may be made at the same time as another one: it takes effect at one moment. */
  readonly isAtomic: boolean;
  readonly args: fc.Arbitrary<Args>;
  request(call: Call<Args>): Request;
  /** Changes the world, and says what the answer must be. The reply tells ids that the server draws. */
  rule(call: Call<Args>, reply: Reply): Outcome;
}

/** Lets the compiler infer the arguments of an operation. */
export function operation<Args>({
  isAtomic = true,
  ...spec
}: Omit<Operation<Args>, 'isAtomic'> & { readonly isAtomic?: boolean }): Operation {
  return { ...spec, isAtomic };
}

const SLUGS = ['one', 'two', 'three'] as const;
/** Small, so that edits and restored revisions meet what is there. */
const number = fc.nat({ max: 5 });

/** @param run makes the slugs those of one run */
export function contentOf({ number: drawn, slug }: DrawnContent, run: string): Content {
  return { number: drawn, slug: `${slug}-${run}` };
}

interface DrawnContent {
  readonly number: number;
  readonly slug: (typeof SLUGS)[number];
}

export const drawnContent: fc.Arbitrary<DrawnContent> = fc.record({
  number,
  slug: fc.constantFrom(...SLUGS),
});

export const someone = fc.constantFrom<Who>('ann', 'ben', 'cleo');
export const text = fc.constantFrom('Please name your sources.', 'The second part is new.');
/** The place of a revision, counted from the newest. */
export const recent = fc.nat({ max: 3 });

export const fieldsOf = ({ number: of, slug }: Content) => ({
  title: `Title ${of}`,
  slug,
  draftText: textOf(of),
});

export const textOf = (of: number): string => `<p>The words of number ${of} stand here.</p>`;

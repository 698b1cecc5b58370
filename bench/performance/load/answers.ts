import { readEachOnce } from '../../load/each-once.ts';
import type { RawAnswer } from '../../load/raw-answer.ts';

/** Headers that differ from answer to answer, or that do not depend on the content. */
const PER_ANSWER = ['date', 'x-request-id', 'connection', 'keep-alive'];
const CONNECTIONS = 64;

type Headers = Readonly<Record<string, string>>;

export function articlePath(slug: string): string {
  return `/blog/slug/${encodeURIComponent(slug)}`;
}

/**
 * Reads each path once over many connections, so that a comparison of the bodies finds answers that are mixed up.
 * @returns the bodies in the order of the paths
 * @throws Error for a status other than 200
 */
export async function readBodies(
  server: { readonly url: string },
  paths: readonly string[],
  headers: Headers,
): Promise<string[]> {
  const bodies: string[] = [];
  const check = (body: string, at: number) => void (bodies[at] = body);
  await readEachOnce({ server, paths, headers, connections: CONNECTIONS, check });
  return bodies;
}

/** @throws Error unless each body is equal to the expected body of its path */
export function checkEqualBodies(
  paths: readonly string[],
  bodies: readonly string[],
  expected: readonly string[],
): void {
  paths.forEach((path, at) => checkText(path, bodies[at], expected[at]));
}

/** @throws Error unless status, headers and body are equal to the expected ones */
export function checkSame(path: string, answer: RawAnswer, expected: RawAnswer): void {
  checkText(path, essenceOf(answer), essenceOf(expected));
}

function checkText(path: string, actual = '', expected = ''): void {
  if (actual === expected) return;
  throw new Error(
    `${path} answers otherwise than expected: ${differenceOf(actual, expected)}\n` +
      `expected: ${differenceOf(expected, actual)}`,
  );
}

/** @returns an excerpt around the first character in which the text differs from the other one */
function differenceOf(text: string, other: string): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at += 1;
  return `… ${text.slice(Math.max(0, at - 40), at + 80)}`;
}

function essenceOf(answer: RawAnswer): string {
  const lines = comparedHeaders(answer).map(([name, value]) => `${name}: ${value}`);
  return [answer.status, ...lines.toSorted(), answer.body.toString('latin1')].join('\n');
}

/** @returns the headers by name, without `content-length` and those of PER_ANSWER */
export function headersOf(answer: RawAnswer): Record<string, string> {
  return Object.fromEntries(comparedHeaders(answer).filter(([name]) => name !== 'content-length'));
}

function comparedHeaders({ headers }: RawAnswer) {
  return headers.filter(([name]) => !PER_ANSWER.includes(name));
}

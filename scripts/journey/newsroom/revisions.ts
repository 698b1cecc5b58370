import type { Run } from '../client.ts';
import type { Person } from '../people.ts';
import type { BlogRecord } from '../publishing.ts';

interface Revision {
  readonly rev: number;
  readonly move: string;
}

/**
 * @param moves the expected ones, newest first
 * @returns the revisions of an article, newest first
 */
export async function readRevisions(
  { client, recorder }: Run,
  { tokens }: Person,
  role: 'author' | 'editor',
  { id }: BlogRecord,
  moves: string,
): Promise<readonly Revision[]> {
  const step = 'list revisions';
  const path = `/blog/${role}/revisions/id/${id}`;
  const { data } = await client.call<Revision[]>(step, 'GET', path, { as: tokens });
  const listed = data.map(({ move }) => move).join(' ');
  recorder.check(step, listed === moves, `the ${role} lists ${listed}, expected ${moves}`);
  return data;
}

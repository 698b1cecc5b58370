import type { Data } from '../../../client/src/index.ts';
import type { Run } from '../client.ts';
import type { Person } from '../people.ts';
import type { BlogRecord } from '../publishing.ts';

type Revisions = Data<'GET', '/blog/author/revisions/id/{id}'>;

/**
 * @param moves the expected transitions, newest first
 * @returns the revisions of an article, newest first
 */
export async function readRevisions(
  { client, recorder }: Run,
  { session }: Person,
  role: 'author' | 'editor',
  { id }: BlogRecord,
  moves: string,
): Promise<Revisions> {
  const step = 'list revisions';
  const { data } = await client.call(step, 'GET', `/blog/${role}/revisions/id/{id}`, {
    as: session,
    path: { id },
  });
  const listed = data.map(({ move }) => move).join(' ');
  recorder.check(step, listed === moves, `the ${role} lists ${listed}, expected ${moves}`);
  return data;
}

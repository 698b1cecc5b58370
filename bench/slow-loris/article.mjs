import { randomUUID } from 'node:crypto';
import { CREDENTIALS } from '../../scripts/support/own-server.ts';

const BODY = {
  title: 'Read by many',
  description: 'The article that the readers of this program ask for.',
  draftText: '<p>A paragraph of an article.</p>'.repeat(100),
  tags: ['bench'],
};

/**
 * Publishes an article by the administrator of an own server.
 *
 * @param fields in the place of the usual ones
 * @returns its path for readers
 */
export async function publishArticle({ call }, fields = {}) {
  const { tokens } = await call('POST', '/auth/signin/basic', { body: CREDENTIALS });
  const token = tokens.accessToken;
  const body = { ...BODY, ...fields, slug: `read-by-many-${randomUUID()}` };
  const { _id, slug } = await call('POST', '/blog/author', { token, body });
  await call('PUT', `/blog/author/submit/${_id}`, { token });
  await call('PUT', `/blog/editor/publish/id/${_id}`, { token });
  return `/blog/slug/${slug}`;
}

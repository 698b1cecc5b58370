import { removeOne } from '../changes.ts';
import type { Run } from '../client.ts';
import type { People } from '../people.ts';
import { flagsOf, type BlogRecord } from '../publishing.ts';

/** The author makes a preview, which is read with the API key alone, and ends it. */
export async function previewOnce(
  { client, recorder }: Run,
  { author }: People,
  { id, title, text }: BlogRecord,
): Promise<void> {
  const step = 'preview';
  const asAuthor = { as: author.session, path: { id } };
  const created = await client.call(step, 'POST', '/blog/author/preview/id/{id}', {
    ...asAuthor,
    body: { expiresIn: '1h' },
  });
  const preview = { path: { token: created.data.token } };
  const { data } = await client.call(step, 'GET', '/blog/preview/{token}', preview);
  const isShown = data.title === title && data.text === text;
  recorder.check(step, isShown, `the preview shows "${data.title}", or another text`);
  await client.call(step, 'DELETE', '/blog/author/preview/id/{id}', asAuthor);
  const expectEnded = { ...preview, expect: 404 };
  await client.call('read an ended preview (404)', 'GET', '/blog/preview/{token}', expectEnded);
}

/** The author deletes the article, takes it out of the trash, deletes it again and purges it. */
export async function trashAndPurge(run: Run, people: People, record: BlogRecord): Promise<void> {
  const { client, recorder } = run;
  const as = people.author.session;
  const asAuthor = { as, path: { id: record.id } };
  const isInTrash = async (): Promise<boolean> => {
    const { data } = await client.call('trash', 'GET', '/blog/author/trash', { as });
    return data.some(({ _id }) => _id === record.id);
  };
  await removeOne(run, people, record);
  recorder.check('trash', await isInTrash(), 'the deleted article is not in it');

  const undelete = '/blog/author/undelete/id/{id}';
  const { data } = await client.call('undelete', 'PUT', undelete, asAuthor);
  const isWhole = data.slug === record.slug && data.draftText === record.text;
  recorder.check('undelete', isWhole, `it has the slug ${data.slug}, or another text`);
  recorder.check('undelete', flagsOf(data) === 'drafted', `it is ${flagsOf(data)}`);

  await removeOne(run, people, record);
  await client.call('purge', 'DELETE', '/blog/author/trash/id/{id}', asAuthor);
  recorder.check('purge', !(await isInTrash()), 'the purged article is still in the trash');
  await client.call('purge', 'PUT', undelete, { ...asAuthor, expect: 404 });
}

import { removeOne } from '../changes.ts';
import type { Run } from '../client.ts';
import type { People } from '../people.ts';
import { flagsOf, type BlogRecord, type EditorialBlog } from '../publishing.ts';
import type { ListItem } from '../reading.ts';

interface Preview {
  readonly title: string;
  readonly text: string;
}

/** The author makes a preview, which is read with the API key alone, and ends it. */
export async function previewOnce(
  { client, recorder }: Run,
  { author }: People,
  { id, title, text }: BlogRecord,
): Promise<void> {
  const step = 'preview';
  const path = `/blog/author/preview/id/${id}`;
  const asAuthor = { as: author.tokens };
  const made = await client.call<{ readonly token: string }>(step, 'POST', path, {
    ...asAuthor,
    body: { expiresIn: '1h' },
  });
  const preview = `/blog/preview/${made.data.token}`;
  const { data } = await client.call<Preview>(step, 'GET', preview);
  const isShown = data.title === title && data.text === text;
  recorder.check(step, isShown, `the preview shows "${data.title}", or another text`);
  await client.call(step, 'DELETE', path, asAuthor);
  await client.call('read an ended preview (404)', 'GET', preview, { expect: 404 });
}

/** The author deletes the article, takes it out of the trash, deletes it again and purges it. */
export async function trashAndPurge(run: Run, people: People, record: BlogRecord): Promise<void> {
  const { client, recorder } = run;
  const asAuthor = { as: people.author.tokens };
  const isInTrash = async (): Promise<boolean> => {
    const { data } = await client.call<ListItem[]>('trash', 'GET', '/blog/author/trash', asAuthor);
    return data.some(({ _id }) => _id === record.id);
  };
  await removeOne(run, people, record);
  recorder.check('trash', await isInTrash(), 'the deleted article is not in it');

  const undelete = `/blog/author/undelete/id/${record.id}`;
  const { data } = await client.call<EditorialBlog>('undelete', 'PUT', undelete, asAuthor);
  const isWhole = data.slug === record.slug && data.draftText === record.text;
  recorder.check('undelete', isWhole, `it has the slug ${data.slug}, or another text`);
  recorder.check('undelete', flagsOf(data) === 'drafted', `it is ${flagsOf(data)}`);

  await removeOne(run, people, record);
  await client.call('purge', 'DELETE', `/blog/author/trash/id/${record.id}`, asAuthor);
  recorder.check('purge', !(await isInTrash()), 'the purged article is still in the trash');
  await client.call('purge', 'PUT', undelete, { ...asAuthor, expect: 404 });
}

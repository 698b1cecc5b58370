import type { Run } from '../client.ts';
import type { People } from '../people.ts';
import { flagsOf, type BlogRecord } from '../publishing.ts';
import { readRevisions } from './revisions.ts';

const QUOTE = 'Whoever reads this text first';
const ADDED_TEXT = 'A second paragraph answers the question.';

/** The author submits an article with a note, which the editor sees; the editor returns it, and the author sees why. */
export async function returnWithReason(
  { client, recorder }: Run,
  { author, editor }: People,
  { id }: BlogRecord,
): Promise<void> {
  const note = 'Is the first sentence clear?';
  const submitStep = 'submit with a note';
  const asAuthor = { as: author.session, path: { id } };
  const asEditor = { as: editor.session, path: { id } };
  await client.call(submitStep, 'PUT', '/blog/author/submit/{id}', { ...asAuthor, body: { note } });
  const { data } = await client.call(submitStep, 'GET', '/blog/editor/id/{id}', asEditor);
  recorder.check(
    submitStep,
    data.submissionNote === note,
    `the editor reads "${data.submissionNote}"`,
  );

  const step = 'return with a reason';
  const reason = 'Not yet: say who that is.';
  await client.call(step, 'PUT', '/blog/editor/return/id/{id}', {
    ...asEditor,
    body: { note: reason },
  });
  const authorView = await client.call(step, 'GET', '/blog/author/id/{id}', asAuthor);
  const { returned } = authorView.data;
  const isReturned = returned?.note === reason && returned.by.name === editor.name;
  recorder.check(step, isReturned, `the author reads "${returned?.note}" by ${returned?.by.name}`);
  recorder.check(step, flagsOf(authorView.data) === 'drafted', `it is ${flagsOf(authorView.data)}`);
}

/** The editor comments, the author replies, and the editor resolves the comment. */
export async function discuss(
  { client, recorder }: Run,
  { author, editor }: People,
  { id }: BlogRecord,
): Promise<void> {
  const step = 'comment, reply, resolve';
  const asAuthor = { as: author.session, path: { id } };
  const { data: comment } = await client.call(step, 'POST', '/blog/editor/comments/id/{id}', {
    as: editor.session,
    path: { id },
    body: { text: 'Who is it?', quote: QUOTE },
  });
  await client.call(step, 'POST', '/blog/author/comments/id/{id}', {
    ...asAuthor,
    body: { text: 'You. I will say so.', replyTo: comment._id },
  });
  await client.call(step, 'PUT', '/blog/editor/comments/id/{id}/{comment}', {
    as: editor.session,
    path: { id, comment: comment._id },
    body: { resolved: true },
  });
  const { data } = await client.call(step, 'GET', '/blog/author/comments/id/{id}', asAuthor);
  const [first, reply] = data;
  const isThread = data.length === 2 && reply?.replyTo === first?._id;
  recorder.check(step, isThread, `the author lists ${data.length} comments, or no reply`);
  recorder.check(step, first?.resolved === true, 'the comment is not resolved');
  const names = data.map(({ by }) => by.name).join();
  recorder.check(step, names === `${editor.name},${author.name}`, `the comments are by ${names}`);
}

/** The author edits and submits again; the editor compares the two submissions. */
export async function submitAgain(
  run: Run,
  { author, editor }: People,
  record: BlogRecord,
): Promise<void> {
  const { client, recorder } = run;
  const { id } = record;
  const asAuthor = { as: author.session, path: { id } };
  const { data: edited } = await client.call(
    'edit a returned article',
    'PUT',
    '/blog/author/id/{id}',
    { ...asAuthor, body: { draftText: `${record.text}<p>${ADDED_TEXT}</p>` } },
  );
  record.text = edited.draftText;
  await client.call('submit again', 'PUT', '/blog/author/submit/{id}', asAuthor);

  const step = 'diff of two submissions';
  const [second, first] = await readRevisions(run, editor, 'editor', record, 'submit submit');
  const { data } = await client.call(step, 'GET', '/blog/editor/diff/id/{id}', {
    as: editor.session,
    path: { id },
    query: { from: first?.rev ?? 0, to: second?.rev ?? 0 },
  });
  const changes = data.text
    .flatMap(({ runs }) => runs)
    .filter(({ kind }) => kind !== 'same')
    .map(({ kind, text }) => `${kind} ${text}`);
  const isExpected = data.fields.length === 0 && changes.join() === `added ${ADDED_TEXT}`;
  recorder.check(step, isExpected, `the diff says: ${changes.join()}`);
}

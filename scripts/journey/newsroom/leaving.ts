import { setTimeout as wait } from 'node:timers/promises';
import { giveRoles, signUp, type People, type WritingRun } from '../people.ts';

const STEP = 'someone leaves';
const DEADLINE_MS = 30_000;

/** An author's draft is handed over; then the author deletes the account. The admin waits for both jobs. */
export async function leave(run: WritingRun, { admin, author }: People): Promise<void> {
  const { client, recorder, id } = run;
  const leaver = await signUp(run, 'Leaver');
  await giveRoles(run, admin, leaver, ['AUTHOR']);
  const body = {
    title: 'Notes of an author who leaves',
    description: 'A draft that is handed over.',
    draftText: '<p>To be continued.</p>',
    slug: `notes-of-an-author-who-leaves-${id}`,
    tags: ['journey'],
  };
  const draft = await client.call(STEP, 'POST', '/blog/author', { as: leaver.session, body });
  const { data: handover } = await client.call(STEP, 'PUT', '/admin/users/id/{id}/blogs/author', {
    as: admin,
    path: { id: leaver.id },
    body: { user: author.id },
  });
  const { count } = await doneJob(run, { admin }, handover._id);
  recorder.check(STEP, count === 1, `${count} articles were handed over, not one`);
  const ofDraft = { as: author.session, path: { id: draft.data._id } };
  await client.call(STEP, 'GET', '/blog/author/id/{id}', ofDraft);

  const { data: deletion } = await client.call(STEP, 'DELETE', '/profile/mine', {
    as: leaver.session,
    body: { password: leaver.password },
  });
  await client.call(STEP, 'GET', '/profile/mine', { as: leaver.session, expect: 401 });
  await doneJob(run, { admin }, deletion.job);
}

/** @returns the job once it is done @throws Error after the deadline */
async function doneJob({ client }: WritingRun, { admin }: Pick<People, 'admin'>, id: string) {
  for (const end = performance.now() + DEADLINE_MS; ;) {
    const { data } = await client.call(STEP, 'GET', '/admin/jobs/id/{id}', {
      as: admin,
      path: { id },
    });
    if (data.state === 'done') return data;
    if (performance.now() > end) throw new Error(`the job ${id} is still ${data.state}`);
    await wait(100);
  }
}

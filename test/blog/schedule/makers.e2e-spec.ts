import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { AdminUserService } from '../../../src/admin/admin-user.service.js';
import { ScheduleMakersJob } from '../../../src/blog/schedule/schedule-makers.job.js';
import { SETTLED_MAX } from '../../../src/blog/schedule/schedule-makers.service.js';
import { NOBODY } from '../../../src/events/audit/audit.service.js';
import { EventLog } from '../../../src/events/log/event-log.service.js';
import { blogIn, PASSWORD, person, type Person } from '../../support/factories.js';
import { DAY, HOUR } from '../../support/time/clock.js';
import { openBlogFixture, storeCopies, storedBlog, type BlogFixture } from '../core/fixture.js';
import { relay } from '../history/stored-events.js';
import { dueBlog, runDueTransitions, schedule } from './fixture.js';

const REASON = 'whoever scheduled it is no longer an enabled EDITOR';

/** What the answer to a change of an account says of the schedules. */
interface Settled {
  readonly cleared: readonly string[];
  readonly passed: readonly string[];
  readonly more: boolean;
}

describe('the schedules of an editor who leaves', () => {
  let fixture: BlogFixture;
  let admin: Person;
  let otherEditor: Person;

  beforeAll(async () => {
    fixture = await openBlogFixture();
    admin = await person(fixture, 'ADMIN');
    otherEditor = await person(fixture, 'EDITOR');
  });

  const objectId = ({ _id }: Pick<Person, '_id'>) => new Types.ObjectId(_id);
  const setRecord = (who: Person, $set: object) =>
    fixture.db.collection('users').updateOne({ _id: objectId(who) }, { $set });
  const runJob = () => fixture.app.get(ScheduleMakersJob).run(new AbortController().signal);
  const roleId = async (code: string) =>
    (await fixture.db.collection('roles').findOne({ code }))?._id;
  const inJob = async (): Promise<null> => {
    expect(await fixture.app.get(ScheduleMakersJob).isDue()).toBe(true);
    await runJob();
    expect(await fixture.app.get(ScheduleMakersJob).isDue()).toBe(false);
    return null;
  };
  const put = async (path: string, body: object): Promise<Settled | null> => {
    const answer = await admin.client.put<{ schedules?: Settled }>(`/admin/users/id/${path}`, body);
    return answer.body.data.schedules ?? null;
  };

  /** Each takes the editor's right away; `null` for a way that tells nobody what has become of the schedules. */
  const WAYS: Readonly<Record<string, (editor: Person) => Promise<Settled | null>>> = {
    'an admin disables them': ({ _id }) => put(`${_id}/status`, { enabled: false }),
    'an admin demotes them': ({ _id }) => put(`${_id}/roles`, { roles: ['LEARNER', 'AUTHOR'] }),
    'an admin takes only EDITOR': ({ _id }) => put(`${_id}/roles`, { roles: ['LEARNER'] }),
    'they delete their account': async ({ client }) => {
      const body = { password: PASSWORD };
      return (await client.delete<Settled>('/profile/mine', { body })).body.data;
    },
    'the operator disables them': async (editor) =>
      (await fixture.app.get(AdminUserService).setEnabled(objectId(editor), false, NOBODY))
        .schedules ?? null,
    'an older server disables them': async (editor) => {
      await setRecord(editor, { status: false });
      return inJob();
    },
    'an operator edits their roles': async (editor) => {
      await setRecord(editor, { roles: [await roleId('LEARNER')] });
      return inJob();
    },
    'an operator removes their record': async (editor) => {
      await fixture.db.collection('users').deleteOne({ _id: objectId(editor) });
      return inJob();
    },
  };

  /** The ways by which the database alone is changed. */
  const TELLS_NOBODY = Object.keys(WAYS).slice(-3);

  /** The events of the log about a blog's schedule. */
  async function changesOf(id: string): Promise<(string | undefined)[]> {
    await relay(fixture);
    const events = await fixture.app.get(EventLog).after(null, 10_000);
    return events
      .filter(({ type, data }) => type === 'blog.rescheduled' && data._id === id)
      .map(({ data }) => data.change);
  }

  const lastLine = async (id: string) =>
    (await fixture.author.client.get(`/blog/author/history/id/${id}`)).body.data[0];

  it.each(Object.entries(WAYS))('should be settled when %s', async (way, leave) => {
    const { author } = fixture;
    const editor = await person(fixture, 'EDITOR');
    const by = { ...fixture, editor };
    const planned = (await blogIn('in review', author, otherEditor))._id;
    const both = (await blogIn('in review', author, otherEditor))._id;
    const live = (await blogIn('live', author, otherEditor))._id;
    const shared = (await blogIn('live in review', author, otherEditor))._id;
    await schedule(by, planned, { publish: HOUR });
    await schedule(by, both, { publish: HOUR, unpublish: DAY });
    await schedule(by, live, { unpublish: DAY });
    await schedule({ ...fixture, editor: otherEditor }, shared, { unpublish: DAY });
    await schedule(by, shared, { publish: HOUR });
    const stored = [
      await storedBlog(fixture.db, both),
      await storedBlog(fixture.db, live),
    ] as const;

    const settled = await leave(editor);
    expect(settled === null).toBe(TELLS_NOBODY.includes(way));
    if (settled) {
      expect([...settled.cleared].sort()).toEqual([planned, both, shared].sort());
      expect([...settled.passed].sort()).toEqual([both, live].sort());
      expect(settled.more).toBe(false);
    }
    for (const id of [planned, shared]) {
      const blog = await storedBlog(fixture.db, id);
      expect(blog['schedule']?.publish).toBeUndefined();
      expect(await lastLine(id)).toMatchObject({ move: 'clearPublication', reason: REASON });
      expect(await changesOf(id)).toEqual(['publication_cleared']);
    }
    expect(await storedBlog(fixture.db, planned)).not.toHaveProperty('dueAt');
    // What another editor has scheduled stays.
    expect((await storedBlog(fixture.db, shared))['schedule'].unpublish).toMatchObject({
      by: objectId(otherEditor),
    });
    const { _id, name } = admin;
    for (const { _id: blog, updatedAt, rev, schedule: before } of stored) {
      const id = String(blog);
      const { at } = before.unpublish;
      expect(await storedBlog(fixture.db, id)).toMatchObject({
        updatedAt,
        rev: rev + (id === both ? 2 : 1),
        dueAt: at,
        schedule: { unpublish: { at, by: objectId(admin), passed: true } },
      });
      expect((await storedBlog(fixture.db, id))['schedule']).not.toHaveProperty('publish');
      expect(await lastLine(id)).toMatchObject({
        move: 'passUnpublication',
        by: { _id, name },
        reason: REASON,
      });
    }
    expect(await changesOf(both)).toEqual(['publication_cleared', 'unpublication_passed']);
    expect(await changesOf(live)).toEqual(['unpublication_passed']);
    const listed = await otherEditor.client.get('/blog/editor/scheduled?limit=100');
    const ids = listed.body.data.map((item: { _id: string }) => item._id);
    expect([planned, both, shared, live].map((id) => ids.includes(id))).toEqual([
      false,
      true,
      true,
      true,
    ]);
    // A cleared publication stays cleared when the editor comes back.
    await setRecord(editor, { status: true, roles: [await roleId('EDITOR')] });
    await runDueTransitions(fixture);
    expect(await runJob()).toBeNull();
    await fixture.db
      .collection('blogs')
      .updateOne(
        { _id: new Types.ObjectId(live) },
        { $set: { 'schedule.unpublish.at': new Date(1), dueAt: new Date(1) } },
      );
    await runDueTransitions(fixture);
    expect(await lastLine(live)).toMatchObject({ move: 'unpublish', by: { _id, name } });
  });

  it('should name the admin who has disabled the editor', async () => {
    const editor = await person(fixture, 'EDITOR');
    const id = (await blogIn('in review', fixture.author, otherEditor))._id;
    await schedule({ ...fixture, editor }, id, { publish: HOUR });
    await put(`${editor._id}/status`, { enabled: false });
    expect(await lastLine(id)).toMatchObject({ by: { _id: admin._id } });
  });

  it.each([
    ['demoted', { roles: [] }],
    ['disabled', { status: false }],
  ])(
    'should be checked when they are due, if the editor was %s in the database',
    async (_label, change) => {
      const { author } = fixture;
      const editor = await person(fixture, 'EDITOR');
      const toPublish = await dueBlog({ ...fixture, editor });
      const toUnpublish = await dueBlog({ ...fixture, editor }, 'live');
      const otherDue = await dueBlog({ ...fixture, editor: otherEditor });
      await setRecord(editor, change);
      await runDueTransitions(fixture);
      expect(await storedBlog(fixture.db, toPublish)).toMatchObject({ submitted: true });
      expect(await lastLine(toPublish)).toMatchObject({ move: 'clearPublication', reason: REASON });
      const history = await author.client.get(`/blog/author/history/id/${toUnpublish}`);
      expect(history.body.data.slice(0, 2)).toMatchObject([
        { move: 'unpublish', by: { _id: admin._id } },
        { move: 'passUnpublication', by: { _id: admin._id } },
      ]);
      expect(await lastLine(otherDue)).toMatchObject({ move: 'publish' });
    },
  );

  it('should stay with an editor who loses another role, or is enabled again before they are due', async () => {
    const editor = await person(fixture, 'EDITOR', 'AUTHOR');
    const id = (await blogIn('in review', fixture.author, otherEditor))._id;
    await schedule({ ...fixture, editor }, id, { publish: HOUR });
    const before = await storedBlog(fixture.db, id);
    expect(await put(`${editor._id}/roles`, { roles: ['EDITOR'] })).toBeNull();
    await setRecord(editor, { status: false });
    expect(await put(`${editor._id}/status`, { enabled: true })).toBeNull();
    expect(await storedBlog(fixture.db, id)).toEqual(before);
  });

  it('should pass on from an ADMIN who leaves, and stay with one who only loses other roles', async () => {
    const editor = await person(fixture, 'EDITOR', 'ADMIN');
    const id = (await blogIn('live', fixture.author, otherEditor))._id;
    await schedule({ ...fixture, editor }, id, { unpublish: DAY });
    const maker = async () => (await storedBlog(fixture.db, id))['schedule'].unpublish.by;
    // The admin takes the role EDITOR from themselves, and keeps what passes to them.
    const body = { roles: ['ADMIN', 'AUTHOR'] };
    const path = `/admin/users/id/${editor._id}`;
    const own = await editor.client.put(`${path}/roles`, body);
    expect(own.body.data.schedules.passed).toEqual([id]);
    expect(await put(`${editor._id}/roles`, { roles: ['ADMIN'] })).toBeNull();
    expect(await maker()).toEqual(objectId(editor));
    const disabled = await editor.client.put(`${path}/status`, { enabled: false });
    expect(disabled.body.data.schedules.passed).toEqual([id]);
    expect(await maker()).toEqual(objectId(admin));
  });

  it('should be settled by the background job as far as a request does not reach', async () => {
    const { db, author } = fixture;
    const editor = await person(fixture, 'EDITOR');
    const first = (await blogIn('in review', author, otherEditor))._id;
    await schedule({ ...fixture, editor }, first, { publish: HOUR });
    await storeCopies(
      db,
      first,
      Array(2 * SETTLED_MAX).fill(() => ({})),
    );
    const left = () =>
      db.collection('blogs').countDocuments({ 'schedule.publish.by': objectId(editor) });
    const settled = await put(`${editor._id}/status`, { enabled: false });
    expect(settled).toMatchObject({ passed: [], more: true });
    expect([settled?.cleared.length, await left()]).toEqual([SETTLED_MAX, SETTLED_MAX + 1]);
    await inJob();
    expect(await left()).toBe(0);
  }, 60_000);

  it('should unpublish in time even if there is no enabled ADMIN', async () => {
    const editor = await person(fixture, 'EDITOR');
    const id = await dueBlog({ ...fixture, editor }, 'live');
    const admins = { roles: await roleId('ADMIN') };
    const users = fixture.db.collection('users');
    await setRecord(editor, { status: false });
    await users.updateMany(admins, { $set: { status: false } });
    await runDueTransitions(fixture);
    await users.updateMany(admins, { $set: { status: true } });
    expect(await lastLine(id)).toMatchObject({ move: 'unpublish', by: { _id: editor._id } });
  });
});

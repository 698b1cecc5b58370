import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { AuthorRenames } from '../../../src/blog/history/author-renames.js';
import { SetupService } from '../../../src/cli/setup/setup.service.js';
import { EventLog } from '../../../src/events/log/event-log.service.js';
import { openBlogFixture, type BlogFixture } from '../../blog/core/fixture.js';
import { relay } from '../../blog/history/stored-events.js';
import { runAccountJobs } from '../../blog/handover/account-jobs.js';
import { blogIn, PASSWORD, person, type Person } from '../../support/factories.js';
import { HOUR } from '../../support/time/clock.js';
import { newEvents } from '../new-events.js';

let fixture: BlogFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await openBlogFixture();
  admin = await person(fixture, 'ADMIN');
});

describe('GET /admin/events', () => {
  const list = (query = '') => admin.client.get(`/admin/events${query}`);

  it('should list the events that transitions have announced, or those after a number', async () => {
    expect((await list()).body.data).toEqual([]);
    const { _id, body } = await blogIn('live', fixture.author, fixture.editor);
    await relay(fixture);
    const { body: answer } = await list();
    expect(answer.data).toEqual([
      {
        seq: 1,
        id: `evt_${_id}_2`,
        type: 'blog.submitted',
        timestamp: expect.any(String),
        data: { _id, rev: 2 },
      },
      {
        seq: 2,
        id: `evt_${_id}_3`,
        type: 'blog.published',
        timestamp: expect.any(String),
        data: expect.objectContaining({ _id, rev: 3, slug: body.slug }),
      },
    ]);
    expect((await list('?after=1')).body.data).toEqual(answer.data.slice(1));
    expect((await list('?after=0&limit=1')).body.data).toEqual(answer.data.slice(0, 1));
    expect((await list('?after=2')).body.data).toEqual([]);
    expect((await list('?after=9007199254740991')).body.data).toEqual([]);
  });

  it('should answer 410 when events after the number have been removed', async () => {
    const last = await fixture.app.get(EventLog).lastSeq();
    await fixture.app.get(EventLog).append(newEvents(3));
    const removed = { _id: { $lte: last + 1 } };
    await fixture.db.collection<{ _id: number }>('events').deleteMany(removed);
    const { status, body } = await list('?after=0');
    expect([status, body.code, body.message]).toEqual([
      410,
      '10001',
      'events after this number are not kept any more: read without after, and rebuild',
    ]);
    expect((await list(`?after=${last}`)).status).toBe(410);
    expect((await list(`?after=${last + 1}`)).body.data).toHaveLength(2);
    expect((await list()).body.data).toHaveLength(2);
  });

  it.each(['-1', '', '9007199254740992', '01x'])('should refuse after=%s', async (after) => {
    const { status, body } = await list(`?after=${after}`);
    expect([status, body.message]).toEqual([400, expect.stringContaining('after must be')]);
  });
});

describe('author.renamed in the event log', () => {
  let ada: Person;

  async function createAdaWithLiveBlog(): Promise<void> {
    ada = await person(fixture, 'AUTHOR');
    await blogIn('live', ada, fixture.editor);
  }

  async function renames(): Promise<unknown[]> {
    const events = await fixture.app.get(EventLog).after(null, 1_000);
    const isOfAda = ({ type, data }: (typeof events)[number]) =>
      type === 'author.renamed' && data._id === ada._id;
    return events.filter(isOfAda).map(({ data }) => data);
  }

  const rename = (name: string) => ada.client.put('/profile/mine', { name });
  /** Deletes the account, and does the rest of the deletion. */
  const deleteAccount = async () => {
    const answer = await ada.client.delete('/profile/mine', { body: { password: PASSWORD } });
    await runAccountJobs(fixture);
    return answer;
  };
  const data = () => ({ _id: ada._id, cacheTags: [`author-${ada._id}`] });
  const user = () => fixture.db.collection('users').findOne({ _id: new Types.ObjectId(ada._id) });

  it('should be added for a new name and a new picture, and leave no `renamed` in the user', async () => {
    await createAdaWithLiveBlog();
    await rename('Ada King');
    await relay(fixture);
    expect(await renames()).toEqual([data()]);
    expect(await user()).not.toHaveProperty('renamed');
    await ada.client.put('/profile/mine', { profilePicUrl: 'https://example.org/ada.png' });
    expect(await relay(fixture)).toBe('authors renamed: 1');
    expect(await relay(fixture)).toBeNull();
    expect(await renames()).toEqual([data(), data()]);
  });

  it('should not be added for a user without a live article', async () => {
    ada = await person(fixture, 'AUTHOR');
    await blogIn('draft', ada, fixture.editor);
    await blogIn('in review', ada, fixture.editor);
    await rename('Ada King');
    await relay(fixture);
    await deleteAccount();
    await relay(fixture);
    expect(await renames()).toEqual([]);
    expect(await fixture.app.get(AuthorRenames).isDue()).toBe(false);
  });

  it('should be added once for a deleted account, however often the account is cleaned up', async () => {
    await createAdaWithLiveBlog();
    expect((await deleteAccount()).status).toBe(200);
    await relay(fixture);
    expect(await renames()).toEqual([data()]);
    await fixture.app.get(SetupService).prepare();
    await runAccountJobs(fixture);
    expect(await relay(fixture)).toBeNull();
    expect(await renames()).toEqual([data()]);
  });

  it('should be added for a deleted account although a process was killed before the clean-up', async () => {
    await createAdaWithLiveBlog();
    const deletedAt = new Date(Date.now() - 2 * HOUR);
    // A process that was killed before the clean-up leaves these records.
    const _id = new Types.ObjectId(ada._id);
    await fixture.db.collection('users').deleteOne({ _id });
    await fixture.db.collection('deleted_accounts').insertOne({ _id, deletedAt });
    await fixture.app.get(SetupService).prepare();
    await runAccountJobs(fixture);
    // Although the record is old, it is kept until the event is in the log.
    await relay(fixture);
    expect(await renames()).toEqual([data()]);
    await fixture.app.get(SetupService).prepare();
    await runAccountJobs(fixture);
    expect(await fixture.db.collection('deleted_accounts').findOne({ _id })).toBeNull();
  });

  it('should be added once although a process was killed after announcing the change', async () => {
    await createAdaWithLiveBlog();
    await rename('Ada King');
    const service = fixture.app.get(AuthorRenames);
    await service.announce(await service.read());
    await relay(fixture);
    expect(await renames()).toHaveLength(1);
  });

  it('should be added again for a second change, made after the first one was announced', async () => {
    await createAdaWithLiveBlog();
    await rename('Ada King');
    const service = fixture.app.get(AuthorRenames);
    const firstRename = await service.read();
    await service.announce(firstRename);
    await rename('Ada Lovelace');
    await service.clear(firstRename);
    await relay(fixture);
    expect(await renames()).toHaveLength(2);
  });
});

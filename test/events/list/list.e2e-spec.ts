import { beforeAll, describe, expect, it } from '@jest/globals';
import { EventLog } from '../../../src/events/log/event-log.service.js';
import type { NewEvent } from '../../../src/events/log/event-log.schema.js';
import { openBlogFixture, type BlogFixture } from '../../blog/core/fixture.js';
import { relay } from '../../blog/history/stored-events.js';
import { blogIn, person, unique, unknownId, type Person } from '../../support/factories.js';

describe('GET /admin/events', () => {
  let fixture: BlogFixture;
  let admin: Person;

  beforeAll(async () => {
    fixture = await openBlogFixture();
    admin = await person(fixture, 'ADMIN');
  });

  const list = (query = '') => admin.client.get(`/admin/events${query}`);

  it('should list what transitions have announced, and go on after a number', async () => {
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
        data: {
          _id,
          rev: 3,
          slug: body.slug,
          cacheTags: [
            `blog-${_id}`,
            'blogs',
            `author-list-${fixture.author._id}`,
            ...body.tags.map((tag) => `tag-${encodeURIComponent(tag.toLowerCase())}`),
          ],
        },
      },
    ]);
    expect((await list('?after=1')).body.data).toEqual(answer.data.slice(1));
    expect((await list('?after=0&limit=1')).body.data).toEqual(answer.data.slice(0, 1));
    expect((await list('?after=2')).body.data).toEqual([]);
    expect((await list('?after=9007199254740991')).body.data).toEqual([]);
  });

  it('should answer 410 to who has missed events', async () => {
    const last = await fixture.app.get(EventLog).lastSeq();
    const events = Array.from({ length: 3 }, (): NewEvent => ({
      id: unique('evt'),
      type: 'blog.submitted',
      at: new Date(),
      data: { _id: unknownId(), rev: 2 },
    }));
    await fixture.app.get(EventLog).append(events);
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

  it.each(['-1', '1.5', 'x', '', '9007199254740992', '1e3', '01x'])(
    'should refuse after=%s',
    async (after) => {
      const { status, body } = await list(`?after=${after}`);
      expect([status, body.message]).toEqual([400, expect.stringContaining('after must be')]);
    },
  );
});

import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import { OutboxRelay } from '../../../src/blog/history/outbox-relay.service.js';
import { runAccountJobs } from '../handover/account-jobs.js';
import { blogIn, PASSWORD, person, unique, type Person } from '../../support/factories.js';
import { collectionNames } from '../../support/mongo/mongo.js';
import { openBlogFixture, type BlogFixture } from '../core/fixture.js';
import { relay } from './stored-events.js';

const NOTED = ['submit', 'return'];

type Items = readonly { readonly move: string; readonly note?: string }[];

describe('the history that editors read of a draft', () => {
  let fixture: BlogFixture;

  beforeAll(async () => {
    fixture = await openBlogFixture();
  });

  it.each([
    ['unpublish', 'live with draft', ['unpublish', 'edit', 'publish', 'submit', 'create']],
    ['withdraw', 'in review', ['withdraw', 'submit', 'create']],
    ['return', 'in review', ['return', 'submit', 'create']],
  ] as const)('should end with %s', async (transition, state, lines) => {
    const { author, editor, other } = fixture;
    const { _id } = await blogIn(state, author, editor);
    const moves = async (query = '') => {
      const path = `/blog/editor/history/id/${_id}${query}`;
      const { status, body } = await editor.client.get<Items>(path);
      return status === 200 ? body.data.map(({ move }) => move) : status;
    };
    if (transition === 'withdraw') await author.client.put(`/blog/author/withdraw/${_id}`);
    else await editor.client.put(`/blog/editor/${transition}/id/${_id}`, { note: 'Why?' });
    for (const isRelayed of [false, true, true]) {
      if (isRelayed) await relay(fixture);
      expect(await moves()).toEqual(lines);
      expect(await moves('?limit=2')).toEqual(lines.slice(0, 2));
      expect(await moves('?limit=2&page=2')).toEqual(lines.slice(2, 4));
      for (let edit = 0; edit < 15; edit++) {
        await author.client.put(`/blog/author/id/${_id}`, { title: unique('Private title') });
      }
      expect(await moves()).toEqual(lines);
    }
    await author.client.delete(`/blog/author/id/${_id}`);
    expect(await moves()).toBe(404);
    await author.client.put(`/blog/author/undelete/id/${_id}`);
    expect(await moves()).toEqual(lines);
    const draft = (await blogIn('draft', other, editor))._id;
    expect((await editor.client.get(`/blog/editor/history/id/${draft}`)).status).toBe(404);
    await author.client.put(`/blog/author/submit/${_id}`);
    expect(((await moves('?limit=100')) as string[])[0]).toBe('submit');
  });
});

describe('the notes of submissions and returns', () => {
  let fixture: BlogFixture;
  let admin: Person;
  let writer: Person;
  let reviewer: Person;
  let id: string;
  /** What the author wrote with the submission, and the reason of the editor. */
  let note: string;
  let reason: string;

  beforeAll(async () => {
    fixture = await openBlogFixture();
    admin = await person(fixture, 'ADMIN');
  });

  beforeEach(async () => {
    writer = await person(fixture, 'AUTHOR');
    reviewer = await person(fixture, 'EDITOR');
    id = (await blogIn('live', writer, reviewer))._id;
    note = unique('The second part is new');
    reason = unique('$name your sources');
    await writer.client.put(`/blog/author/id/${id}`, { title: 'Another title' });
    await writer.client.put(`/blog/author/submit/${id}`, { note });
    await reviewer.client.put(`/blog/editor/return/id/${id}`, { note: reason });
  });

  async function notes(role: 'author' | 'editor'): Promise<(string | undefined)[]> {
    const { client } = role === 'author' ? writer : fixture.editor;
    const { body } = await client.get<Items>(`/blog/${role}/history/id/${id}`);
    expect(body.data.filter((item) => !NOTED.includes(item.move) && item.note)).toEqual([]);
    return body.data.filter(({ move }) => NOTED.includes(move)).map((item) => item.note);
  }
  const dump = async (): Promise<string> => {
    const names = await collectionNames(fixture.db);
    const all = names.map((name) => fixture.db.collection(name).find().toArray());
    return mongo.BSON.EJSON.stringify(await Promise.all(all));
  };
  /** Deletes the account, and does the rest of the deletion. */
  const deleteAccount = async ({ client }: Person): Promise<void> => {
    await client.delete('/profile/mine', { body: { password: PASSWORD } });
    await runAccountJobs(fixture);
  };

  it('should stay in both histories after the next submission and its publication', async () => {
    await writer.client.put(`/blog/author/submit/${id}`, { note: '' });
    await reviewer.client.put(`/blog/editor/publish/id/${id}`);
    for (const role of ['author', 'editor'] as const) {
      expect(await notes(role)).toEqual([undefined, reason, note, undefined]);
    }
    await relay(fixture);
    for (const role of ['author', 'editor'] as const) {
      expect(await notes(role)).toEqual([undefined, reason, note, undefined]);
    }
  });

  it('should reach no reader, event log and webhook', async () => {
    const body = { url: 'https://hooks.example.org/', events: ['*'] };
    await admin.client.post('/admin/webhooks', body);
    await relay(fixture);
    const logged = await fixture.db.collection('events').find().toArray();
    const calls = await fixture.db.collection('webhook_deliveries').find().toArray();
    const list = await admin.client.get('/admin/events?limit=100');
    const read = await fixture.client.get(`/blog/id/${id}`);
    expect(logged.map(({ type }) => type as unknown)).toContain('blog.returned');
    for (const text of [JSON.stringify([logged, calls]), list.text, read.text]) {
      expect([text.includes(note), text.includes(reason)]).toEqual([false, false]);
    }
  });

  it('should go with the account even if the outbox relay has read them before', async () => {
    const relayService = fixture.app.get(OutboxRelay);
    const batch = await relayService.read();
    expect(mongo.BSON.EJSON.stringify(batch)).toContain(reason);
    await deleteAccount(reviewer);
    await relayService.store(batch);
    expect(await dump()).not.toContain(reason);
    expect((await notes('editor')).filter(Boolean)).toEqual([note]);
  });

  describe.each([
    ['in the document of the blog', false],
    ['in blog_events', true],
  ])('that are %s', (_label, isRelayed) => {
    beforeEach(async () => {
      if (isRelayed) await relay(fixture);
      expect(await dump()).toContain(reason);
    });

    it('should go with the account of the editor who wrote them', async () => {
      await deleteAccount(reviewer);
      expect(await notes('author')).toEqual([undefined, note, undefined]);
      expect(await notes('editor')).toEqual([undefined, note, undefined]);
      const own = await writer.client.get(`/blog/author/id/${id}`);
      expect(own.body.data).not.toHaveProperty('returned');
      expect(await dump()).not.toContain(reason);
    });

    it('should go with the account of the author', async () => {
      await deleteAccount(writer);
      await relay(fixture);
      const texts = await dump();
      expect([texts.includes(note), texts.includes(reason)]).toEqual([false, false]);
      expect((await notes('editor')).filter(Boolean)).toEqual([]);
    });

    it('should go with the account of an author who has handed the blog over', async () => {
      await writer.client.put(`/blog/author/submit/${id}`, { note });
      const next = { user: fixture.other._id };
      await admin.client.put(`/admin/blogs/id/${id}/author`, next);
      await deleteAccount(writer);
      expect(await dump()).not.toContain(note);
      expect((await notes('editor')).filter(Boolean)).toEqual([reason]);
    });

    it('should go when the blog is purged', async () => {
      await writer.client.delete(`/blog/author/id/${id}`);
      await writer.client.delete(`/blog/author/trash/id/${id}`);
      await relay(fixture);
      const texts = await dump();
      expect([texts.includes(note), texts.includes(reason)]).toEqual([false, false]);
    });
  });
});

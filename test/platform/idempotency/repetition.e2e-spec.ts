import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { openBlogFixture } from '../../blog/core/fixture.js';
import { relay } from '../../blog/history/stored-events.js';
import { ROWS } from '../../routes/routes.js';
import { blogIn, person, unknownId } from '../../support/factories.js';
import { startApp } from '../../support/start-app.js';
import {
  KINDS,
  kindOf,
  newAttempt,
  newKey,
  openFixture,
  otherCaller,
  send,
  type Attempt,
  type Fixture,
} from './kinds.js';

/** The effect of a new record, other than accounts, sessions, and what goes along with an act. */
const CREATED =
  /^insert (?!sessions|users|audit|mails|one_time_tokens|reserved_addresses|factors|known_devices|media_files|pictures)/;

describe('Idempotency-Key', () => {
  it('should be read by every POST that creates a record for its client, except accounts and sessions', () => {
    const creating = ROWS.filter(
      ({ route, effects = [] }) =>
        route.startsWith('POST ') && effects.some((effect) => CREATED.test(effect)),
    );
    expect(KINDS.map(({ route }) => route).sort()).toEqual(
      creating.map(({ route }) => route).sort(),
    );
  });
});

describe('Idempotency-Key', () => {
  let fixture: Fixture;
  /** URL of a second server on the same database. */
  let secondUrl: string;

  beforeAll(async () => {
    const server = await startApp();
    secondUrl = (await startApp({ uri: server.uri })).url;
    fixture = await openFixture(server);
  });

  describe.each(KINDS)('$route', (kind) => {
    const count = () => fixture.server.db.collection(kind.collection).countDocuments();
    const atSecond = (attempt: Attempt): Attempt => ({
      ...attempt,
      client: attempt.client.at(secondUrl),
    });

    it('should create one record, and make every server answer a repetition with this record', async () => {
      const [attempt, key] = [newAttempt(fixture, kind), `${newKey()}\\`];
      const first = await send(attempt, key);
      expect(first.status).toBe(200);
      const before = await count();
      for (const again of [attempt, atSecond(attempt), attempt]) {
        const { status, body, headers } = await send(again, key);
        expect([status, body]).toEqual([200, first.body]);
        expect(headers.get('etag')).toBe(first.headers.get('etag'));
      }
      // A key in quotes, where its backslash is escaped, is the same key.
      expect((await send(attempt, `"${key}\\"`)).body).toEqual(first.body);
      expect(await count()).toBe(before);
      if (kind.secret) expect(first.body.data).toHaveProperty(kind.secret, expect.any(String));
    });

    it('should create one record for six requests at the same time', async () => {
      const [attempt, key] = [newAttempt(fixture, kind), newKey()];
      const before = await count();
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, n) => send(n % 2 ? atSecond(attempt) : attempt, key)),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      for (const { body } of answers) expect(body).toEqual(answers[0]?.body);
      expect(await count()).toBe(before + 1);
    });

    it('should create another record under another key, and without a key', async () => {
      const attempt = newAttempt(fixture, kind);
      const before = await count();
      const again = (): Attempt => (kind.isUnique ? newAttempt(fixture, kind) : attempt);
      await send(attempt, newKey());
      await send(again(), newKey());
      const { status } = await attempt.client.post(attempt.path, again().body);
      expect([status, await count()]).toEqual([200, before + 3]);
    });

    it('should refuse another body under the same key, or create another record if the request has no user', async () => {
      const [attempt, key] = [newAttempt(fixture, kind), newKey()];
      const first = await send(attempt, key);
      const before = await count();
      const { status, body } = await send({ ...attempt, body: kind.body() }, key);
      if (kind.by === null) {
        // Many people share an API key, so requests with different bodies are kept apart.
        expect([status, await count()]).toEqual([200, before + 1]);
        expect(body.data._id).not.toBe(first.body.data._id);
      } else {
        expect([status, body.reason]).toEqual([422, 'idempotency_key_reused']);
        expect(await count()).toBe(before);
      }
    });

    it('should refuse a malformed key', async () => {
      const before = await count();
      const { status, body } = await send(newAttempt(fixture, kind), 'two words');
      expect([status, body.reason]).toEqual([400, 'invalid_parameter']);
      expect(await count()).toBe(before);
    });
  });

  it.each(KINDS.filter(({ by, isUnique }) => by && !isUnique))(
    'should keep the keys of two users apart at $route',
    async (kind) => {
      const [key, other] = [newKey(), await otherCaller(fixture, kind)];
      const attempt = newAttempt(fixture, kind);
      const first = await send(attempt, key);
      const second = await send({ ...newAttempt(other, kind), body: attempt.body }, key);
      expect(second.status).toBe(200);
      const field = kind.secret ?? '_id';
      expect(second.body.data[field as '_id']).not.toBe(first.body.data[field as '_id']);
    },
  );

  it.each(KINDS.filter(({ remove }) => remove))(
    'should lead to 404 once the record of $route was removed, and create nothing',
    async (kind) => {
      const [attempt, key] = [newAttempt(fixture, kind), newKey()];
      const first = await send(attempt, key);
      const removal = await kind.remove?.(attempt.client, first.body.data, attempt.path);
      expect(removal?.status).toBe(200);
      const records = fixture.server.db.collection(kind.collection);
      const before = await records.countDocuments();
      for (const url of [fixture.server.url, secondUrl]) {
        const { status, body } = await send({ ...attempt, client: attempt.client.at(url) }, key);
        expect([status, body.reason]).toEqual([404, kind.goneReason]);
      }
      expect(await records.countDocuments()).toBe(before);
    },
  );

  it.each(KINDS.filter(({ route }) => route.includes(':id')))(
    'should refuse the same body for another blog at $route',
    async (kind) => {
      const { author, editor } = fixture;
      const other = { ...fixture, blog: (await blogIn('in review', author, editor))._id };
      const [attempt, key] = [newAttempt(fixture, kind), newKey()];
      await send(attempt, key);
      const crossed = { ...newAttempt(other, kind), body: attempt.body };
      const replying = { ...crossed, body: { ...attempt.body, replyTo: unknownId() } };
      for (const each of [crossed, replying]) {
        const { status, body } = await send(each, key);
        expect([status, body.reason]).toEqual([422, 'idempotency_key_reused']);
      }
      const { status } = await send(attempt, key);
      expect(status).toBe(200);
    },
  );

  it.each(['delete', 'purge', 'handOver'] as const)(
    'should refuse another body for a blog that its author no longer sees after %s',
    async (change) => {
      const kind = kindOf('POST /blog/author');
      const [attempt, key] = [newAttempt(fixture, kind), newKey()];
      const { _id = '' } = (await send(attempt, key)).body.data;
      if (change === 'handOver') {
        const { _id: user } = await person(fixture.server, 'AUTHOR');
        await fixture.admin.client.put(`/admin/blogs/id/${_id}/author`, { user });
      } else {
        await attempt.client.delete(`/blog/author/id/${_id}`);
        if (change === 'purge') await attempt.client.delete(`/blog/author/trash/id/${_id}`);
      }
      const { status, body } = await send({ ...attempt, body: kind.body() }, key);
      expect([status, body.reason]).toEqual([422, 'idempotency_key_reused']);
      expect((await send(attempt, key)).body.reason).toBe('blog_not_found');
    },
  );

  it.each(KINDS.filter(({ route }) => route.includes(':id')))(
    'should refuse the same body for another blog at $route after the first blog was purged',
    async (kind) => {
      const { author, editor } = fixture;
      const first = { ...fixture, blog: (await blogIn('in review', author, editor))._id };
      const [attempt, key] = [newAttempt(first, kind), newKey()];
      expect((await send(attempt, key)).status).toBe(200);
      await author.client.delete(`/blog/author/id/${first.blog}`);
      await author.client.delete(`/blog/author/trash/id/${first.blog}`);
      const crossed = { ...newAttempt(fixture, kind), body: attempt.body };
      const { status, body } = await send(crossed, key);
      expect([status, body.reason]).toEqual([422, 'idempotency_key_reused']);
    },
  );

  it('should be independent for each route', async () => {
    const key = newKey();
    for (const kind of KINDS) {
      expect((await send(newAttempt(fixture, kind), key)).status).toBe(200);
    }
  });

  it('should lead to the record as it is now', async () => {
    const kind = kindOf('POST /blog/author');
    const [attempt, key] = [newAttempt(fixture, kind), newKey()];
    const { _id = '' } = (await send(attempt, key)).body.data;
    await attempt.client.put(`/blog/author/id/${_id}`, { title: 'Another title' });
    const { body, headers } = await send(attempt, key);
    expect(body.data).toMatchObject({ _id, title: 'Another title' });
    expect(headers.get('etag')).toBe('"2"');
  });

  it('should let the removal of its record be stored for a day, unlike that of a record without a key', async () => {
    const removed = fixture.server.db.collection('removed_records');
    const before = await removed.countDocuments();
    for (const kind of KINDS.filter(({ remove }) => remove)) {
      const { client, path, body } = newAttempt(fixture, kind);
      const { data } = (await client.post(path, body)).body;
      await kind.remove?.(client, data, path);
    }
    expect(await removed.countDocuments()).toBe(before);

    const kind = kindOf('POST /admin/webhooks');
    const [attempt, key] = [newAttempt(fixture, kind), newKey()];
    const first = await send(attempt, key);
    await kind.remove?.(attempt.client, first.body.data, attempt.path);
    const _id = new Types.ObjectId(first.body.data._id);
    expect(await removed.findOne({ _id })).toEqual({
      _id,
      requestHash: expect.stringMatching(/^[\w-]{43}$/),
      goneAt: expect.any(Date),
    });
    expect((await send({ ...attempt, body: kind.body() }, key)).status).toBe(422);
    const index = (await removed.indexes()).find(({ name }) => name === 'goneAt_1');
    expect(index?.expireAfterSeconds).toBe(86_400);
    // The test does what MongoDB does after a day.
    await removed.deleteOne({ _id });
    const again = await send(attempt, key);
    expect([again.status, again.body.data._id]).toEqual([200, first.body.data._id]);
  });

  it('should cause one event for the creation, and not create a purged record again', async () => {
    const blogs = await openBlogFixture();
    const kind = kindOf('POST /blog/author');
    const attempt = { client: blogs.author.client, path: '/blog/author', body: kind.body() };
    const key = newKey();
    const answers = await Promise.all([1, 2, 3].map(() => send(attempt, key)));
    const { _id = '' } = answers[0]?.body.data ?? {};
    const reasonOfRepetition = async () => (await send(attempt, key)).body.reason;
    await relay(blogs);
    const events = blogs.db.collection('blog_events');
    expect(await events.countDocuments({ '_id.blog': new Types.ObjectId(_id) })).toBe(1);
    await attempt.client.delete(`/blog/author/id/${_id}`);
    expect(await reasonOfRepetition()).toBe('blog_not_found');
    await attempt.client.delete(`/blog/author/trash/id/${_id}`);
    expect(await reasonOfRepetition()).toBe('blog_not_found');
    await relay(blogs);
    expect(await blogs.db.collection('blogs').countDocuments()).toBe(0);
    expect(await reasonOfRepetition()).toBe('blog_not_found');
    expect(await blogs.db.collection('blogs').countDocuments()).toBe(0);
  });
});

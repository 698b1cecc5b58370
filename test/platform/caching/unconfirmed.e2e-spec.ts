import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { blogIn, PASSWORD, type State } from '../../support/factories.js';
import { OwnMongo } from '../../support/mongo/own-mongo.js';
import type { TestApp } from '../../support/start-app.js';
import { until } from '../../support/time/wait.js';
import { openFixture, openSecondServer, type Fixture } from './support/fixture.js';

const TIMEOUT_MS = 120_000;

const NEW_USER = { name: 'Unconfirmed', email: 'unconfirmed@example.org' };

interface Blogs {
  readonly draft: string;
  readonly submitted: string;
  readonly trashed: string;
}

type Read = readonly [as: 'author' | 'editor', pathOf: (blogs: Blogs) => string];

/** Reads of authors and editors. The writes of the first test change the answer to each of them. */
const READS: readonly Read[] = [
  ['author', ({ draft }) => `/blog/author/id/${draft}`],
  ['author', ({ draft }) => `/blog/author/history/id/${draft}`],
  ['author', ({ draft }) => `/blog/author/comments/id/${draft}`],
  ['author', () => '/blog/author/drafts'],
  ['author', () => '/blog/author/submitted'],
  ['author', () => '/blog/author/trash'],
  ['author', () => '/blog/author/counts'],
  ['author', () => '/auth/sessions'],
  ['editor', ({ submitted }) => `/blog/editor/id/${submitted}`],
  ['editor', ({ submitted }) => `/blog/editor/history/id/${submitted}`],
  ['editor', () => '/blog/editor/submitted'],
  ['editor', () => '/blog/editor/counts'],
  ['editor', () => '/admin/users'],
  ['editor', () => '/admin/apikeys'],
  ['editor', () => '/admin/messages'],
  ['editor', () => '/admin/webhooks'],
];

/** The first server makes writes that no majority of the replica set has. The second server only reads. */
describe('a write that a failover may undo', () => {
  let primary: OwnMongo;
  let secondary: OwnMongo;
  let server: Fixture;
  let second: TestApp;
  let blogs: Blogs;
  let before: readonly string[];

  const read = async ([as, pathOf]: Read, { url }: TestApp): Promise<string> => {
    const { status, text } = await server[as].client.at(url).get(pathOf(blogs));
    return `${status} ${text}`;
  };

  beforeAll(async () => {
    [primary, secondary] = await OwnMongo.createPair({ votes: 1 });
    server = await openFixture({ uri: primary.uri('unconfirmed') });
    second = await openSecondServer(server);
    const create = async (state: State) => (await blogIn(state, server.author, server.editor))._id;
    blogs = {
      draft: await create('draft'),
      submitted: await create('in review'),
      trashed: await create('draft'),
    };
    before = await Promise.all(READS.map((each) => read(each, second)));
    await secondary.failPoint('stopReplProducer', 'alwaysOn');
  }, TIMEOUT_MS);

  afterAll(async () => {
    await second.close();
    await server.close();
    await Promise.all([primary.remove(), secondary.remove()]);
  }, TIMEOUT_MS);

  it('should be answered with 503 outcome_unknown', async () => {
    const { author, editor, client } = server;
    const { draft, submitted, trashed } = blogs;
    const webhook = { url: 'https://receiver.example/', events: ['blog.published'] };
    const { email } = author;
    const closed: unknown[] = [];
    const connections = server.app.get<Connection>(getConnectionToken()).getClient();
    connections.on('connectionClosed', (event) => closed.push(event));
    const started = performance.now();
    const answers = await Promise.all([
      author.client.put(`/blog/author/id/${draft}`, { title: 'Unconfirmed' }),
      author.client.post(`/blog/author/comments/id/${draft}`, { text: 'Unconfirmed.' }),
      author.client.put(`/blog/author/withdraw/${submitted}`),
      author.client.delete(`/blog/author/id/${trashed}`),
      editor.client.post('/admin/apikeys', { comment: 'Unconfirmed.' }),
      editor.client.post('/admin/webhooks', webhook),
      client.post('/contact', { type: 'unconfirmed', msg: 'Unconfirmed.' }),
      client.post('/auth/signin/basic', { email, password: PASSWORD }),
      client.post('/auth/signup/basic', { ...NEW_USER, password: PASSWORD }),
    ]);
    expect(performance.now() - started).toBeLessThan(6_000);
    for (const { status, body } of answers) {
      expect({ status, reason: body.reason }).toEqual({ status: 503, reason: 'outcome_unknown' });
      // A transaction is committed again until the deadline of the request.
      expect(body.message).toMatch(
        /^the (database cannot be reached|request took too long), and it may have happened: read before you repeat it$/,
      );
    }
    // No connection was closed, because the database has reported the timeout itself.
    expect(closed).toEqual([]);
  });

  it('should not be shown by another server', async () => {
    expect(await Promise.all(READS.map((each) => read(each, second)))).toEqual(before);
  });

  it('should make the server that has written it answer these reads with 503', async () => {
    const answers = await Promise.all(READS.map((each) => read(each, server)));
    expect(answers).toEqual(READS.map(() => expect.stringMatching(/^503 .*"unavailable"/)));
  });

  it('should be shown once a majority has it', async () => {
    await secondary.failPoint('stopReplProducer', 'off');
    for (const [index, each] of READS.entries()) {
      const isShown = async (app: TestApp) => {
        const answer = await read(each, app);
        return !answer.startsWith('503') && answer !== before[index];
      };
      await until(`${each[1](blogs)} by the first server`, () => isShown(server));
      await until(`${each[1](blogs)} by the second server`, () => isShown(second));
    }
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../support/client.js';
import { signIn } from '../../support/factories.js';
import { freshDatabaseUri } from '../../support/mongo/mongo.js';
import { runNode, temporaryFolder } from '../../support/process.js';
import { startApp, type TestApp } from '../../support/start-app.js';

const SEED = {
  API_KEY: 'a-key-for-the-demo',
  ADMIN_EMAIL: 'boss@example.org',
  ADMIN_PASSWORD: 'a long enough password',
};
const DAY_MS = 86_400_000;

interface Named {
  readonly name: string;
}

interface Item {
  readonly _id: string;
  readonly slug: string;
  readonly publishAt: string;
  readonly assignedTo: Named;
  readonly submissionNote: string;
  readonly returned: { readonly note: string; readonly by: Named };
}

interface Comment {
  readonly by: Named;
  readonly replyTo?: string;
  readonly resolved: boolean;
  readonly quoteFound?: boolean;
}

interface Revision {
  readonly move: string;
}

describe('the newsroom of npm run seed -- --demo', () => {
  let server: TestApp;
  let author: Client;
  let editor: Client;

  beforeAll(async () => {
    const uri = freshDatabaseUri();
    const env = { MONGODB_URI: uri, ...SEED };
    const cwd = await temporaryFolder();
    const { stdout } = await runNode(['scripts/seed.mjs', '--demo'], { cwd, env });
    const password = /shown once: (\S+)/.exec(stdout)?.[1] ?? '';
    server = await startApp({ uri });
    author = (await signIn(server.client, 'ines@pressroom.example', password)).client;
    editor = (await signIn(server.client, 'wen@pressroom.example', password)).client;
  });

  afterAll(() => server.close());

  const read = async <Data>(client: Client, path: string): Promise<Data> =>
    (await client.get<Data>(path)).body.data;

  it('should have an article that was returned with a reason, and a thread', async () => {
    const drafts = await read<Item[]>(author, '/blog/author/drafts');
    const { _id = '' } = drafts.find(({ slug }) => slug === 'a-checklist-before-you-submit') ?? {};
    const { returned } = await read<Item>(author, `/blog/author/id/${_id}`);
    expect(returned).toMatchObject({
      note: expect.stringMatching(/^Nearly there/),
      by: { name: 'Wen Zhao' },
    });
    const comments = await read<Comment[]>(author, `/blog/author/comments/id/${_id}`);
    expect(
      comments.map(({ by, replyTo, resolved, quoteFound }) => [
        by.name,
        replyTo !== undefined,
        resolved,
        quoteFound,
      ]),
    ).toEqual([
      ['Wen Zhao', false, true, true],
      ['Ines Moreau', true, false, undefined],
      ['Wen Zhao', false, false, true],
    ]);
  });

  it('should have an article in review with a note, an editor and a comment', async () => {
    const assigned = await read<Item[]>(editor, '/blog/editor/submitted?assigned=me');
    expect(assigned).toHaveLength(1);
    const [{ _id = '' } = {}] = assigned;
    const { submissionNote, assignedTo } = await read<Item>(editor, `/blog/editor/id/${_id}`);
    expect([submissionNote, assignedTo.name]).toEqual([
      expect.stringContaining('Is it fair?'),
      'Wen Zhao',
    ]);
    const comments = await read<Comment[]>(editor, `/blog/editor/comments/id/${_id}`);
    expect(comments.map(({ quoteFound }) => quoteFound)).toEqual([true]);
  });

  it('should have an article that is to be published in five days', async () => {
    const scheduled = await read<Item[]>(editor, '/blog/editor/scheduled');
    const days = scheduled.map(({ publishAt }) => (Date.parse(publishAt) - Date.now()) / DAY_MS);
    expect(days.map(Math.round)).toEqual([5]);
  });

  it('should have an article with several revisions, and one in the trash', async () => {
    const { _id } = await read<Item>(server.client, '/blog/slug/tags-that-help-readers');
    const revisions = await read<Revision[]>(editor, `/blog/editor/revisions/id/${_id}`);
    const transitions = revisions.map(({ move: transition }) => transition);
    expect(transitions).toEqual(['publish', 'submit', 'publish', 'submit']);
    const trash = await read<Item[]>(author, '/blog/author/trash');
    expect(trash.map(({ slug }) => slug)).toEqual(['our-newsletter-is-coming']);
  });
});

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../support/client.js';
import { blogIn, person, unknownId, type Person } from '../../support/factories.js';
import { startApp, type TestApp } from '../../support/start-app.js';

const BAD_BODY = { title: 'x', tags: 'none' };

/** API key, token, role, path and query, body, existence and ownership, revision and state. */
describe('Order of checks', () => {
  let server: TestApp;
  let author: Person;
  let other: Person;
  let editor: Person;

  beforeAll(async () => {
    server = await startApp();
    author = await person(server, 'AUTHOR');
    other = await person(server, 'AUTHOR');
    editor = await person(server, 'EDITOR');
  });

  async function refusal(
    client: Client,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const answer = await client.request('PUT', path, { body, headers });
    return `${answer.status} ${answer.body.message}`;
  }

  it('should be key, token, role, path, body', async () => {
    const path = '/blog/author/id/bad';
    const broken = server.client.as('broken');
    const steps: readonly (readonly [Client, string])[] = [
      [broken.with({ 'x-api-key': null }), '401 permission denied: missing x-api-key header'],
      [broken, '401 invalid access token'],
      [editor.client, '403 permission denied: does not have sufficient role'],
      [author.client, '400 id must be 24 hexadecimal characters'],
    ];
    for (const [client, expected] of steps) {
      expect(await refusal(client, path, BAD_BODY)).toBe(expected);
    }
  });

  it('should check the body before existence and ownership', async () => {
    const { _id } = await blogIn('in review', author, editor);
    for (const [client, id] of [
      [author.client, unknownId()],
      [other.client, _id],
      [author.client, _id],
    ] as const) {
      expect(await refusal(client, `/blog/author/id/${id}`, BAD_BODY)).toMatch(
        /^422 validation error: title /,
      );
    }
  });

  it('should check ownership before revision and state', async () => {
    const { _id } = await blogIn('in review', author, editor);
    const path = `/blog/author/id/${_id}`;
    const body = { title: 'Another title' };
    const stale = { 'if-match': '"999"' };
    expect(await refusal(other.client, path, body, stale)).toBe('404 blog not found');
    expect(await refusal(author.client, path, body)).toBe(
      '400 blog is under review: withdraw it first',
    );
  });

  it('should report all errors of a query together', async () => {
    const { status, body } = await author.client.get('/blog/author/drafts?page=0&limit=1000');
    expect(status).toBe(400);
    expect(body.message).toContain('page must be');
    expect(body.message).toContain('limit must be');
  });
});

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

  it('should check the API key first', async () => {
    const client = server.client.with({ 'x-api-key': null }).as('broken');
    expect(await refusal(client, '/blog/author/id/bad', BAD_BODY)).toBe(
      '401 permission denied: missing x-api-key header',
    );
  });

  it('should check the token before role, path and body', async () => {
    const client = server.client.as('broken');
    expect(await refusal(client, '/blog/author/id/bad', BAD_BODY)).toBe('401 invalid access token');
  });

  it('should check the role before path and body', async () => {
    expect(await refusal(editor.client, '/blog/author/id/bad', BAD_BODY)).toBe(
      '403 permission denied: does not have sufficient role',
    );
  });

  it('should check the path before the body', async () => {
    expect(await refusal(author.client, '/blog/author/id/bad', BAD_BODY)).toBe(
      '400 id must be 24 hexadecimal characters',
    );
    const admin = await person(server, 'ADMIN');
    for (const path of ['users/id/bad/roles', 'users/id/bad/status', 'apikeys/id/bad']) {
      expect(await refusal(admin.client, `/admin/${path}`, { roles: 1, enabled: 1 })).toBe(
        '400 id must be 24 hexadecimal characters',
      );
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

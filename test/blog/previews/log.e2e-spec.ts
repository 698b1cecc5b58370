import { beforeAll, describe, expect, it } from '@jest/globals';
import { otherCasesOf, spellingsOf } from '../../access/spellings.js';
import { openBlogFixture, type BlogFixture } from '../core/fixture.js';
import { send } from '../../platform/http/raw-http.js';
import { blogIn } from '../../support/factories.js';
import { newPreview } from '../../support/previews.js';
import { API_KEY } from '../../support/start-app.js';
import { until } from '../../support/time/wait.js';

const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS'];

describe('The log of previews', () => {
  let fixture: BlogFixture;
  let id: string;
  let token: string;

  beforeAll(async () => {
    fixture = await openBlogFixture({
      env: { LOG_LEVEL: 'trace', LOG_REQUESTS: 'all', SLOW_MS: '1' },
    });
    id = (await blogIn('in review', fixture.author, fixture.editor))._id;
    token = await newPreview(fixture.author, 'author', id);
  });

  /** The log once the line of a last request is there. */
  async function wholeLog(marker: string): Promise<string> {
    await send(fixture.url, '/health/live', { headers: { 'x-request-id': marker } });
    await until('the last line', () => fixture.log.some((line) => line.includes(marker)));
    return fixture.log.join('');
  }

  it('should hold no token, however its path is spelled', async () => {
    const encoded = [...token].map((each) => `%${each.charCodeAt(0).toString(16)}`).join('');
    const path = `/blog/preview/${token}`;
    const targets = [
      path,
      `/blog/preview/${encoded}`,
      `${path}?page=1&token=${token}`,
      `${path}%`,
      path + 'x'.repeat(3_000),
      `/blog/previews/${token}`,
      ...spellingsOf(path).map(({ target }) => target),
      ...otherCasesOf(path, token),
    ];
    const statuses = new Set<number>();
    for (const method of METHODS) {
      for (const target of targets) {
        for (const headers of [{ 'x-api-key': API_KEY }, { 'x-api-key': 'unknown' }]) {
          statuses.add((await send(fixture.url, target, { method, headers })).status);
        }
      }
    }
    expect([...statuses].sort()).toEqual([200, 204, 400, 403, 404, 405]);
    const log = await wholeLog('all-spellings');
    expect(log).toContain('"/blog/preview/:token"');
    expect([token, encoded].filter((text) => log.includes(text))).toEqual([]);
  });

  it('should hold no token of an answer that fails', async () => {
    const blogs = fixture.db.collection('blogs');
    // A record that no version stores: it cannot be cleaned.
    await blogs.updateOne({}, { $set: { draftText: 1, htmlVersion: null } });
    const { status } = await send(fixture.url, `/blog/preview/${token}`, {
      headers: { 'x-api-key': API_KEY },
    });
    expect(status).toBe(500);
    const log = await wholeLog('a-failure');
    expect(log).toContain('"failed"');
    expect(log).not.toContain(token);
  });
});

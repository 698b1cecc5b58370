import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import mongoose from 'mongoose';
import { PublicListService } from '../../../src/blog/public/lists/public-list.service.js';
import { API_KEY, startApp, type TestApp } from '../../support/start-app.js';
import { until } from '../../support/time/wait.js';
import { expectRefusal, send } from './raw-http.js';

const KEY = { 'x-api-key': API_KEY };
const { MongoServerError, MongoServerSelectionError } = mongoose.mongo;

describe('An unexpected error', () => {
  let server: TestApp;

  beforeAll(async () => {
    server = await startApp();
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  function latestThrows(error: unknown): void {
    const service = server.app.get(PublicListService, { strict: false });
    jest.spyOn(service, 'list').mockRejectedValue(error);
    // Clears the cache, so that the service is called.
    server.invalidateCaches();
  }

  function logged(reqId: string): Record<string, unknown>[] {
    return server.log
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line['reqId'] === reqId);
  }

  it.each([
    ['an Error that calls itself 404', Object.assign(new Error('the-cause'), { statusCode: 404 })],
    ['undefined', undefined],
    ['an object', { message: 'the-cause', statusCode: 200 }],
    ['a write error', new MongoServerError({ message: 'the-cause', code: 2 })],
  ])('should not be described to the client: %s', async (_what, error) => {
    latestThrows(error);
    const answer = await send(server.url, '/blogs/latest', { headers: KEY });
    expect(expectRefusal(answer, 500)).toBe('something went wrong');
    expect(JSON.stringify(answer)).not.toContain('the-cause');
    expect(answer.headers['etag']).toBeUndefined();
  });

  it('should log the cause under the request id of the response', async () => {
    latestThrows(new RangeError('the-cause'));
    const id = 'the-id-of-this-request';
    const headers = { ...KEY, 'x-request-id': id };
    const answer = await send(server.url, '/blogs/latest', { headers });
    expect(answer.headers['x-request-id']).toBe(id);
    await until('the request line', () => logged(id).length === 2);
    const [failed, request] = logged(id);
    expect(failed).toMatchObject({
      level: 50,
      msg: 'failed',
      err: { type: 'RangeError', message: 'the-cause' },
    });
    expect(String((failed?.['err'] as Record<string, unknown>)['stack'])).toContain('at ');
    expect(request).toMatchObject({ msg: 'request', status: 500, route: '/blogs/latest' });
  });

  // is-database-unavailable.spec.ts tests each kind of these errors.
  it('should be a temporary 503 when the database has no primary, and not affect later requests', async () => {
    latestThrows(new MongoServerSelectionError('the-cause', {} as never));
    const answer = await send(server.url, '/blogs/latest', { headers: KEY });
    expect(expectRefusal(answer, 503, '10002')).toBe(
      'the database cannot be reached: try again in a moment',
    );
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.text).not.toContain('the-cause');
    jest.restoreAllMocks();
    expect((await send(server.url, '/blogs/latest', { headers: KEY })).status).toBe(200);
  });
});

import { describe, expect, it } from '@jest/globals';
import createFastify from 'fastify';
import { registerPageErrors } from './page-errors.js';

describe('registerPageErrors', () => {
  const answer = async (url: string, options: object = {}) => {
    const lines: string[] = [];
    const stream = { write: (line: string) => void lines.push(line) };
    const fastify = createFastify({ logger: { level: 'error', stream } });
    await fastify.register((scope, _, done) => {
      registerPageErrors(scope);
      scope.get('/thrown', () => {
        throw new Error('/srv/secret/path');
      });
      scope.get('/rejected', () => Promise.reject(new TypeError('secret of a field')));
      scope.post('/body', () => 'ok');
      done();
    });
    const { statusCode, body } = await fastify.inject({ url, ...options });
    return { statusCode, body: JSON.parse(body) as unknown, log: lines.join('') };
  };

  it.each(['/thrown', '/rejected'])('should hide a defect at %s, and log it', async (path) => {
    const { statusCode, body, log } = await answer(path);
    expect([statusCode, body]).toEqual([
      500,
      { code: '10001', status: 500, message: 'something went wrong', reason: 'internal_error' },
    ]);
    expect(log).toContain('secret');
  });

  it('should send a refusal of Fastify as an envelope', async () => {
    const headers = { 'content-type': 'application/json' };
    const { statusCode, body } = await answer('/body', { method: 'POST', headers, payload: '{' });
    expect([statusCode, body]).toEqual([
      400,
      expect.objectContaining({ code: '10001', status: 400, reason: 'malformed_json' }),
    ]);
  });
});

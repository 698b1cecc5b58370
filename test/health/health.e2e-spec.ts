import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/start-app.js';

describe('GET /health', () => {
  let server: TestApp;

  beforeAll(async () => {
    server = await startApp();
  });

  afterAll(async () => {
    await server.close();
  });

  it('should answer without an API key, with nine digits of seconds', async () => {
    const { status, body } = await server.client.with({ 'x-api-key': null }).get('/health');
    expect(status).toBe(200);
    expect(body.data.status).toBe('OK');
    expect(body.data.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/);
  });
});

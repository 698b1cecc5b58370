import { afterEach, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../../support/start-app.js';

describe('the warning about a proxy that is missing in TRUST_PROXY', () => {
  let server: TestApp;

  afterEach(async () => {
    await server.close();
  });

  const FORWARDED = { 'x-forwarded-for': '203.0.113.9' };
  const hints = (): string[] => server.log.filter((line) => line.includes('TRUST_PROXY'));

  async function ask(times: number, headers = {}, path = '/auth/verify/apikey'): Promise<void> {
    for (let number = 0; number < times; number++) await server.client.get(path, { headers });
  }

  it('should be logged once, after twenty requests', async () => {
    server = await startApp();
    await ask(19, FORWARDED);
    expect(hints()).toEqual([]);
    await ask(30, FORWARDED);
    expect(hints()).toHaveLength(1);
    expect(JSON.parse(hints()[0] ?? '{}')).toMatchObject({
      level: 40,
      msg: expect.stringContaining('came from 127.0.0.1 with x-forwarded-for'),
    });
  });

  it('should not be logged when one request was not forwarded', async () => {
    server = await startApp();
    await ask(5, FORWARDED);
    await ask(1);
    await ask(30, FORWARDED);
    expect(hints()).toEqual([]);
  });

  it('should ignore health checks', async () => {
    server = await startApp();
    await ask(3, {}, '/health/live');
    await ask(20, FORWARDED);
    expect(hints()).toHaveLength(1);
  });

  it('should not be logged with TRUST_PROXY', async () => {
    server = await startApp({ env: { TRUST_PROXY: '127.0.0.1' } });
    await ask(30, FORWARDED);
    expect(hints()).toEqual([]);
  });
});

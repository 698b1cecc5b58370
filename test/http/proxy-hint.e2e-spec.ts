import { afterEach, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/start-app.js';

describe('a server behind a proxy that it was not told of', () => {
  let server: TestApp;

  afterEach(async () => {
    await server.close();
  });

  const FORWARDED = { 'x-forwarded-for': '203.0.113.9' };
  const hints = (): string[] => server.log.filter((line) => line.includes('TRUST_PROXY'));

  async function ask(times: number, headers = {}, path = '/auth/verify/apikey'): Promise<void> {
    for (let number = 0; number < times; number++) await server.client.get(path, { headers });
  }

  it('should say so once, after twenty requests', async () => {
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

  it('should say nothing when one of them was not forwarded', async () => {
    server = await startApp();
    await ask(5, FORWARDED);
    await ask(1);
    await ask(30, FORWARDED);
    expect(hints()).toEqual([]);
  });

  it('should not be misled by health checks', async () => {
    server = await startApp();
    await ask(3, {}, '/health/live');
    await ask(20, FORWARDED);
    expect(hints()).toHaveLength(1);
  });

  it('should say nothing when it was told', async () => {
    server = await startApp({ env: { TRUST_PROXY: '127.0.0.1' } });
    await ask(30, FORWARDED);
    expect(hints()).toEqual([]);
  });
});

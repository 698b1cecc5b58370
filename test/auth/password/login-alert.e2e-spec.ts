import { describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../../support/start-app.js';

const LIMITS = { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1', GUESS_ALARM: '3/1h' };

describe('the alert for the number of all wrong passwords', () => {
  const warnings = ({ log }: TestApp): string[] =>
    log.filter((line) => line.includes('passwords were wrong'));
  const fail = ({ client }: TestApp, number: number) =>
    client.post(
      '/auth/signin/basic',
      { email: `somebody-${number}@example.org`, password: 'x' },
      { headers: { 'x-forwarded-for': `10.${number}.0.1` } },
    );

  it('should log one warning and refuse nobody', async () => {
    const server = await startApp({ env: LIMITS });
    for (let number = 1; number <= 6; number++) {
      expect((await fail(server, number)).status).toBe(401);
      expect(warnings(server)).toHaveLength(number < 3 ? 0 : 1);
    }
    const [line = '{}'] = warnings(server);
    expect(JSON.parse(line)).toMatchObject({
      level: 40,
      msg: '3 passwords were wrong within 3600 seconds: someone may be guessing (GUESS_ALARM)',
    });
  });
});

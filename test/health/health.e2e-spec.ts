import { beforeAll, describe, expect, it } from '@jest/globals';
import { HealthService } from '../../src/health/health.service.js';
import { stopServing } from '../../src/cli/stop-serving.js';
import { CommandRecorder } from '../support/checks/command-recorder.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { until } from '../support/time/wait.js';

describe('GET /health', () => {
  let server: TestApp;

  beforeAll(async () => {
    server = await startApp();
  });

  it.each(['/health', '/health/live', '/health/ready'])(
    'should answer %s without an API key, with a time that has nine decimal places of a second',
    async (path) => {
      const before = Date.now();
      const { status, body } = await server.client.with({ 'x-api-key': null }).get(path);
      expect(status).toBe(200);
      expect(body).toEqual({
        code: '10000',
        status: 200,
        message: 'success',
        data: { status: 'OK', timestamp: expect.any(String) },
      });
      expect(body.data.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/);
      const time = Date.parse(body.data.timestamp);
      expect(time).toBeGreaterThanOrEqual(before);
      expect(time).toBeLessThanOrEqual(Date.now());
    },
  );

  it.each(['/health', '/health/ready'])(
    'should ping the database at most once a second, however many requests to %s arrive',
    async (path) => {
      const recorder = new CommandRecorder(server);
      const pings = () => recorder.commands.filter(({ name }) => name === 'ping').length;
      const before = Date.now();
      await Promise.all(Array.from({ length: 50 }, () => server.client.get(path)));
      const { body } = await server.client.get<{ timestamp: string }>(path);
      expect(pings()).toBeLessThanOrEqual(1 + Math.ceil((Date.now() - before) / 1_000));
      // Each answer has its own time, although the ping is shared.
      const last = Date.parse(body.data.timestamp);
      const { body: next } = await server.client.get<{ timestamp: string }>(path);
      expect(Date.parse(next.data.timestamp)).toBeGreaterThanOrEqual(last);
      await until('another ping', async () => {
        recorder.clear();
        await server.client.get(path);
        return pings() === 1;
      });
      recorder.stop();
    },
  );

  it('should answer at most five checks in 10 ms, so that a flood does not keep the server busy', async () => {
    const health = server.app.get(HealthService, { strict: false });
    await health.check();
    // The test calls the service, because opening a hundred connections would take as long.
    const started = performance.now();
    await Promise.all(Array.from({ length: 100 }, () => health.check()));
    // 100 checks take 200 ms, but each timer may be a millisecond early.
    expect(performance.now() - started).toBeGreaterThan(180);
  });
});

describe('GET /health/ready', () => {
  let server: TestApp;

  beforeAll(async () => {
    server = await startApp({ env: { MIGRATE: 'off' } });
  });

  it('should name what is missing until another process has migrated', async () => {
    const { status, body, headers } = await server.client.get('/health/ready');
    expect(status).toBe(503);
    expect(body.code).toBe('10002');
    expect(headers.get('retry-after')).toBe('1');
    expect(body.message).toMatch(/^not ready: run "npm run migrate" \(missing: /);
    for (const name of ['blogs.slugs_1', 'users.email_1', 'sessions.', 'api_keys.keyHash_1']) {
      expect(body.message).toContain(name);
    }
    const warning = server.log.find((line) => line.includes('not ready: run'));
    expect(JSON.parse(warning ?? '{}')).toMatchObject({ level: 40 });
    // Nevertheless the server is live and reaches its database.
    expect((await server.client.get('/health')).status).toBe(200);
    expect((await server.client.get('/health/live')).status).toBe(200);

    const migrating = await startApp({ uri: server.uri, env: { MIGRATE: 'on' } });
    await migrating.close();
    expect((await server.client.get('/health/ready')).status).toBe(200);
  });

  it('should notice within seconds that the database was dropped', async () => {
    const dropped = await startApp();
    expect((await dropped.client.get('/health/ready')).status).toBe(200);
    await dropped.db.dropDatabase();
    await until(
      'not ready',
      async () => (await dropped.client.get('/health/ready')).status === 503,
    );
    const { body } = await dropped.client.get('/health/ready');
    expect(body.message).toMatch(/^not ready: run "npm run migrate" \(missing: /);
  });

  // This test comes last, because it stops the server.
  it('should refuse while the server is stopping, unlike /health/live', async () => {
    const hurry = new AbortController();
    const stopped = stopServing(server.app, 60_000, hurry.signal);
    const responses: (readonly [number, string])[] = [];
    for (const path of ['/health/ready', '/health/live']) {
      const { status, body } = await server.client.get(path);
      responses.push([status, body.message]);
    }
    hurry.abort();
    await stopped;
    expect(responses).toEqual([
      [503, 'not ready: the server is stopping'],
      [200, 'success'],
    ]);
  });
});

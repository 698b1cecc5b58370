import { beforeAll, describe, expect, it } from 'vitest';
import { freshDatabaseUri } from '../support/mongo/mongo.js';
import { startNode, temporaryFolder, untilReady } from '../support/process.js';

describe('The log of a server that stops', () => {
  let folder: string;
  const uri = freshDatabaseUri();

  beforeAll(async () => {
    folder = await temporaryFolder();
  });

  it.each([
    ['readable lines', 'SIGTERM', { NODE_ENV: 'development' }],
    ['JSON lines', 'SIGINT', { NODE_ENV: 'test' }],
    ['JSON lines of workers', 'SIGTERM', { NODE_ENV: 'test', WORKERS: '2' }],
  ] as const)(
    'should be complete and end with that: %s, %s',
    async (_what, signal, kind) => {
      const env = { MONGODB_URI: uri, PORT: '0', LOG_REQUESTS: 'all', ...kind };
      const server = startNode(['dist/main.js'], { cwd: folder, env });
      const url = await untilReady(server);
      const headers = { 'x-request-id': 'the-last-one', connection: 'close' };
      expect((await fetch(`${url}/health/ready`, { headers })).status).toBe(200);
      server.child.kill(signal);
      expect(await server.ended).toBe(0);
      const lines = server.output.stdout.trimEnd().split('\n');
      const saying = (text: string): number => lines.findIndex((line) => line.includes(text));
      expect(saying('the-last-one')).toBeGreaterThan(0);
      expect(saying(`${signal}: stopping`)).toBeGreaterThan(0);
      expect(lines.at(-1)).toContain('stopped');
    },
    60_000,
  );
});

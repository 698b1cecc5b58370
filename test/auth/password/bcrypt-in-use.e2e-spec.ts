import { beforeAll, describe, expect, it } from '@jest/globals';
import { connect, freshDatabaseUri } from '../../support/mongo/mongo.js';
import { startNode, temporaryFolder, untilReady } from '../../support/process.js';
import { API_KEY } from '../../support/start-app.js';
import { until } from '../../support/time/wait.js';

/** Two starts on the same database: the first server hashes the password, the second one checks it. */
const STARTS = [
  ['@node-rs/bcrypt', '/auth/signup/basic', {}],
  // Makes @node-rs/bcrypt look for its WASI build, which is not installed.
  ['bcryptjs', '/auth/signin/basic', { NAPI_RS_FORCE_WASI: 'error' }],
] as const;

describe('the bcrypt module in use', () => {
  const uri = freshDatabaseUri();
  const account = { email: 'ada@example.org', password: 'four candles', name: 'Ada' };
  let folder: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const keys = (await connect(uri)).db().collection('api_keys');
    await keys.insertOne({ key: API_KEY, status: true });
  });

  it.each(STARTS)(
    'should be logged once, and accept the same passwords: %s',
    async (name, path, env) => {
      const server = startNode(['dist/main.js'], {
        cwd: folder,
        env: { PORT: '0', NODE_ENV: 'test', LOG_LEVEL: 'info', MONGODB_URI: uri, ...env },
      });
      const url = (await untilReady(server)) + path;
      // A request that takes over five seconds, as on a very busy machine, is answered by 503.
      const status = await until('an answer other than 503', async () => {
        const answer = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
          body: JSON.stringify(account),
        });
        return answer.status === 503 ? undefined : answer.status;
      });
      expect(status).toBe(200);
      server.child.kill('SIGKILL');
      await server.ended;
      const logged = server.output.stdout.match(/passwords are hashed by [^"]+/g);
      expect(logged).toEqual([`passwords are hashed by ${name}`]);
    },
    90_000,
  );
});

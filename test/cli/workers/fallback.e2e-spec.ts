import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listenersOf } from '../../platform/database/embedded/fixture/processes.js';
import { freshDatabaseUri } from '../../support/mongo/mongo.js';
import { temporaryFolder } from '../../support/process.js';
import { connectionToEach } from './connections.js';
import { startServer, untilGone, type WorkersServer } from './server.js';

describe('WORKERS=2 without SO_REUSEPORT', () => {
  let folder: string;
  let uri: string;
  let server: WorkersServer;

  beforeAll(async () => {
    folder = await temporaryFolder();
    uri = freshDatabaseUri();
    server = await startServer(folder, { MONGODB_URI: uri }, [
      'test/cli/workers/fixture/supervise.mjs',
    ]);
  }, 90_000);

  afterAll(async () => {
    server?.child.kill('SIGKILL');
    await server?.ended;
  });

  it('should distribute connections to all workers through the supervisor', async () => {
    const workers = server.workers();
    expect(workers).toHaveLength(2);
    expect(listenersOf(server.pid).tcp).toHaveLength(1);
    for (const pid of workers) expect(listenersOf(pid).tcp).toEqual([]);
    for (const connection of await connectionToEach(server.url, workers)) {
      expect(await connection.send('GET', '/health/ready')).toMatchObject({ status: 200 });
      connection.close();
    }
  });

  it('should end with code 0 on Ctrl-C, which reaches every process at once', async () => {
    const workers = server.workers();
    for (const pid of [...workers, server.pid]) process.kill(pid, 'SIGINT');
    // npm sends the signal again.
    server.child.kill('SIGINT');
    expect(await server.ended).toBe(0);
    expect(server.output).toEqual({ stdout: expect.not.stringContaining('ended'), stderr: '' });
    await untilGone(workers);
  });
});

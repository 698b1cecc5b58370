import { once } from 'node:events';
import { createServer, Server, type AddressInfo, type ListenOptions } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { findSharedPort } from './shared-port.js';

const HOST = '127.0.0.1';

/** Simulates a system on which SO_REUSEPORT fails with this code. */
function refuseReusePort(code: string): void {
  const listen = Object.getOwnPropertyDescriptor(Server.prototype, 'listen')?.value as (
    this: Server,
    options: ListenOptions,
  ) => Server;
  jest.spyOn(Server.prototype, 'listen').mockImplementation(function (
    this: Server,
    ...args: unknown[]
  ) {
    const options = args[0] as ListenOptions;
    if (!options.reusePort) return listen.call(this, options);
    setImmediate(() => this.emit('error', Object.assign(new Error(code), { code })));
    return this;
  });
}

describe('findSharedPort', () => {
  const servers: Server[] = [];

  afterEach(() => {
    jest.restoreAllMocks();
    for (const server of servers.splice(0)) server.close();
  });

  async function listen(options: ListenOptions): Promise<number> {
    const server = createServer().listen({ host: HOST, ...options });
    servers.push(server);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  it('should find a free port for port 0, and keep any other port', async () => {
    const { port } = await findSharedPort({ host: HOST, port: 0 });
    expect(port).toBeGreaterThan(0);
    expect(await findSharedPort({ host: HOST, port })).toMatchObject({ host: HOST, port });
  });

  it('should leave the port free for several sockets with SO_REUSEPORT', async () => {
    const { port, reusePort } = await findSharedPort({ host: HOST, port: 0 }, true);
    expect(await listen({ port, reusePort })).toBe(port);
    expect(await listen({ port, reusePort })).toBe(port);
  });

  it.each([
    ['with SO_REUSEPORT', true],
    ['without SO_REUSEPORT', false],
  ])('should refuse a port that another server uses %s', async (_how, reusePort) => {
    const port = await listen({ port: 0, reusePort });
    await expect(findSharedPort({ host: HOST, port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: `listen EADDRINUSE: address already in use ${HOST}:${port}`,
    });
  });

  it('should report no SO_REUSEPORT where the system refuses it', async () => {
    refuseReusePort('ENOTSUP');
    expect(await findSharedPort({ host: HOST, port: 0 })).toMatchObject({ reusePort: false });
  });

  it('should throw when SO_REUSEPORT fails for another reason', async () => {
    refuseReusePort('EACCES');
    await expect(findSharedPort({ host: HOST, port: 0 })).rejects.toMatchObject({ code: 'EACCES' });
  });

  it('should not try SO_REUSEPORT when the caller says whether it works', async () => {
    refuseReusePort('EACCES');
    for (const known of [true, false]) {
      expect(await findSharedPort({ host: HOST, port: 0 }, known)).toMatchObject({
        reusePort: known,
      });
    }
  });
});

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { closeLingering } from './lingering-close.js';

const RESPONSE = 'HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n';
const HEAD = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 33554432\r\n\r\n';
/** Exceeds the socket buffers of a connection whose server does not read. */
const LARGE = Buffer.alloc(33_554_432, ' ');

describe('closeLingering', () => {
  let server: Server;
  let requests: number;
  let accepted: Promise<Socket>;
  const clients: Socket[] = [];

  beforeEach(async () => {
    requests = 0;
    server = createServer(({ socket }) => {
      requests += 1;
      closeLingering(socket, RESPONSE);
    });
    // An incomplete body is a parser error, as in the real server.
    server.on('clientError', (_error, socket) => socket.destroy());
    accepted = once(server, 'connection').then(([socket]: Socket[]) => socket as Socket);
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });

  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
    server.close();
  });

  /** @returns a client that never closes its side of the connection */
  function open(): { readonly client: Socket; readonly received: () => string } {
    const { port } = server.address() as AddressInfo;
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    clients.push(client);
    const chunks: Buffer[] = [];
    client.on('data', (chunk) => chunks.push(chunk));
    client.on('error', () => undefined);
    return { client, received: () => Buffer.concat(chunks).toString() };
  }

  it('should let a client read the response while it sends, up to 64 KiB', async () => {
    const { client, received } = open();
    client.write(HEAD);
    client.write(LARGE);
    const socket = await accepted;
    await once(socket, 'close');
    expect(received()).toBe(RESPONSE);
    // The read with the headers, 64 KiB, and the read that exceeded them.
    expect(socket.bytesRead).toBeLessThan(3 * 65_536);
  });

  it('should end the connection of a client that neither sends nor closes', async () => {
    const { client, received } = open();
    client.write(HEAD);
    await once(await accepted, 'close');
    expect(received()).toBe(RESPONSE);
  });

  it('should end as soon as the client closes its side', async () => {
    const closed: string[] = [];
    const watch = async (
      name: string,
    ): Promise<{ readonly client: Socket; end: Promise<void> }> => {
      const next = once(server, 'connection') as Promise<[Socket]>;
      const { client } = open();
      const [socket] = await next;
      client.write(HEAD);
      return { client, end: once(socket, 'close').then(() => void closed.push(name)) };
    };
    const silent = await watch('silent');
    const polite = await watch('polite');
    await once(polite.client, 'end');
    polite.client.end();
    await Promise.all([silent.end, polite.end]);
    expect(closed).toEqual(['polite', 'silent']);
  });

  it('should not parse further bytes as a request', async () => {
    const { client, received } = open();
    client.write(HEAD.replace('33554432', '0'));
    await once(client, 'end');
    client.write(HEAD.replace('33554432', '0'));
    await once(await accepted, 'close');
    expect(requests).toBe(1);
    expect(received()).toBe(RESPONSE);
  });
});

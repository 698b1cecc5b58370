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
  let accepted: Promise<Socket>;
  const clients: Socket[] = [];

  beforeEach(async () => {
    server = createServer(({ socket }) => closeLingering(socket, RESPONSE));
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
});

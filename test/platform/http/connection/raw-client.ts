import { connect, type Socket } from 'node:net';

/** A TCP client that sends given bytes and collects what comes back. */
export class RawClient {
  received = '';
  /** Whether the server has closed its side or the whole connection. */
  isEnded = false;
  readonly socket: Socket;

  /** Reads nothing if `isReading` is false. Otherwise the client keeps its side open when the server has ended. */
  constructor(url: string, { isReading = true } = {}) {
    const { hostname, port } = new URL(url);
    this.socket = connect({ port: Number(port), host: hostname, allowHalfOpen: isReading });
    if (isReading) this.socket.on('data', (chunk) => (this.received += chunk.toString('latin1')));
    this.socket.on('end', () => (this.isEnded = true));
    this.socket.on('error', () => (this.isEnded = true));
    this.socket.on('close', () => (this.isEnded = true));
  }

  write(text: string | Uint8Array): void {
    if (text.length > 0) this.socket.write(text);
  }

  get statuses(): string[] {
    // A body has no line break at its end, so the next status line may follow it directly.
    return this.matches(/(?<=HTTP\/1\.1 )\d{3}(?= )/g);
  }

  matches(pattern: RegExp): string[] {
    return this.received.match(pattern) ?? [];
  }

  /** Closes its own side, like a client that has read the last response. */
  end(): void {
    this.socket.end();
  }

  close(): void {
    this.socket.destroy();
  }
}

/** A request line and headers, and the empty line after them. */
export function requestHead(requestLine: string, ...headers: readonly string[]): string {
  return [`${requestLine} HTTP/1.1`, 'host: a', ...headers, '', ''].join('\r\n');
}

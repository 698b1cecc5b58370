import { connect, type Socket } from 'node:net';

/** A client that does not close its own side, like an attacker. */
export class SlowClient {
  received = '';
  /** Whether the server has closed its side, or both. */
  isEnded = false;
  private readonly socket: Socket;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    this.socket.on('data', (chunk: Buffer) => (this.received += chunk.toString()));
    this.socket.on('end', () => (this.isEnded = true));
    this.socket.on('error', () => (this.isEnded = true));
  }

  pause(): void {
    this.socket.pause();
  }

  write(text: string | Uint8Array): void {
    if (text.length > 0) this.socket.write(text);
  }

  get statuses(): string[] {
    // A body has no line break at its end, so the next status line may follow it directly.
    return this.received.match(/(?<=HTTP\/1\.1 )\d{3}(?= )/g) ?? [];
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

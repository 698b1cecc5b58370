import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { atEnd } from '../../support/clean-up.js';

export interface Call {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of webhooks on 127.0.0.1, which is closed after the tests of the file. */
export class Receiver {
  readonly calls: Call[] = [];
  /** Answers a call: with 204, until a test replaces this function. */
  answer: (response: ServerResponse, call: Call) => void = (response) =>
    void response.writeHead(204).end();

  private constructor(readonly url: string) {}

  static async open(): Promise<Receiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const receiver = new Receiver(`http://127.0.0.1:${port}`);
    server.on('request', (request, response) => {
      void text(request).then((body) => {
        const call = { path: String(request.url), headers: request.headers, body };
        receiver.calls.push(call);
        receiver.answer(response, call);
      });
    });
    atEnd(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return receiver;
  }

  /** Holds every call from now on. @returns functions, each of which answers one held call */
  hold(): (() => void)[] {
    const held: (() => void)[] = [];
    this.answer = (response) => void held.push(() => void response.writeHead(204).end());
    return held;
  }

  /** The event types of the calls so far. */
  get types(): string[] {
    return this.calls.map(({ body }) => (JSON.parse(body) as { type: string }).type);
  }
}

/** @returns the parsed body @throws Error unless the secret has signed the call */
export function verify(secret: string, { body, headers }: Call): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}

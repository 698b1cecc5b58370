import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { atEnd } from '../support/clean-up.js';

export interface ProxiedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** A refusal in place of the server's answer. */
export interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/**
 * What happens to a request: it is passed on, the request is lost, the server's answer is lost, it is never
 * answered, or it is refused.
 */
export type Fate = 'pass' | 'lose request' | 'lose answer' | 'never answer' | Refusal;

/** A proxy that can fail as an unreliable network does, and refuse as an overloaded server does. */
export class Proxy {
  readonly requests: ProxiedRequest[] = [];
  #fates: Fate[] = [];

  private constructor(
    readonly url: string,
    private readonly target: string,
  ) {}

  static async open(target: string): Promise<Proxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const proxy = new Proxy(`http://127.0.0.1:${port}`, target);
    server.on('request', (request, response) => {
      const { method = '', url: path = '', headers } = request;
      void buffer(request).then((body) => proxy.handle({ method, path, headers }, body, response));
    });
    atEnd(() => {
      server.closeAllConnections();
      server.close();
    });
    return proxy;
  }

  /** Forgets the requests so far. @param fates of the next requests, in order; all later requests pass */
  reset(...fates: Fate[]): void {
    this.requests.splice(0);
    this.#fates = fates;
  }

  /** The requests for a path. */
  to(path: string): ProxiedRequest[] {
    return this.requests.filter((request) => request.path.split('?')[0] === path);
  }

  private async handle(
    request: ProxiedRequest,
    body: Buffer,
    response: ServerResponse,
  ): Promise<void> {
    this.requests.push(request);
    const fate = this.#fates.shift() ?? 'pass';
    if (fate === 'never answer') return;
    if (fate === 'lose request') return void response.destroy();
    if (typeof fate === 'object') {
      const headers = { 'content-type': 'application/json', ...fate.headers };
      return void response.writeHead(fate.status, headers).end(JSON.stringify(fate.body ?? {}));
    }
    const answer = await this.forward(request, body);
    const text = await answer.text();
    if (fate === 'lose answer') return void response.destroy();
    const headers = Object.fromEntries(answer.headers);
    delete headers['content-encoding'];
    delete headers['transfer-encoding'];
    delete headers['content-length'];
    response.writeHead(answer.status, headers).end(text);
  }

  private forward({ method, path, headers }: ProxiedRequest, body: Buffer): Promise<Response> {
    const { host: _, connection: __, ...passed } = headers;
    return fetch(this.target + path, {
      method,
      redirect: 'manual',
      headers: passed as Record<string, string>,
      ...(body.length === 0 ? {} : { body }),
    });
  }
}

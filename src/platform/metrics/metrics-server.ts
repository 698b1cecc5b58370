import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import type { Env } from '../config/env.js';
import { OperatorError } from '../config/operator.error.js';

const PATH = '/metrics';

/** The text format of Prometheus. */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** What the operator can do about an error of `listen`, by its code. */
const REMEDIES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program has the port; stop it, or set METRICS_PORT',
  EADDRNOTAVAIL: 'this machine does not have the address; set METRICS_HOST',
  ENOTFOUND: 'the name is unknown; set METRICS_HOST',
  EACCES: 'this user may not use the port; set METRICS_PORT',
};

const logger = new Logger('Metrics');

/** Serves the metrics on a port of their own, without a key: whoever reaches the port may read them. */
export class MetricsServer {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /**
   * @param read returns the metrics as text; concurrent requests share one call
   * @throws OperatorError when the address cannot be listened on
   */
  static async open(
    { METRICS_HOST: host, METRICS_PORT: port }: Pick<Env, 'METRICS_HOST' | 'METRICS_PORT'>,
    read: () => Promise<string>,
  ): Promise<MetricsServer> {
    let reading: Promise<string> | null = null;
    const server = createServer((request, response) => {
      if (request.method !== 'GET' || request.url?.split('?')[0] !== PATH) {
        response.writeHead(404).end();
        return;
      }
      reading ??= read().finally(() => (reading = null));
      reading.then(
        (text) => response.writeHead(200, { 'content-type': CONTENT_TYPE }).end(text),
        (error: unknown) => {
          logger.error(error);
          response.writeHead(500).end();
        },
      );
    });
    // With `exclusive` the socket belongs to this process alone, even in a cluster.
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
      const remedy = REMEDIES[error.code ?? ''];
      throw remedy ? new OperatorError(`metrics: ${error.message}: ${remedy}.`) : error;
    });
    const { address, family, port: boundPort } = server.address() as AddressInfo;
    const name = family === 'IPv6' ? `[${address}]` : address;
    return new MetricsServer(server, `http://${name}:${boundPort}${PATH}`);
  }

  /** Logs the URL of the metrics. Call it after the log is set up. */
  logUrl(): void {
    logger.log(`served at ${this.url}`);
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}

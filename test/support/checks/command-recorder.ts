import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { mongo } from 'mongoose';
import { atEnd } from '../clean-up.js';
import { clientsOf } from '../mongo/mongo-clients.js';

/** A command that the server sent to its database. */
export interface RecordedCommand {
  /** The endpoint given to `during` when the request arrived; null outside of requests. */
  readonly endpoint: string | null;
  /** Such as `find`, `aggregate`, `findAndModify`. */
  readonly name: string;
  /** null for a command without a collection, such as `commitTransaction`. */
  readonly collection: string | null;
  /** The whole command as it was sent, with fields such as `filter`, `update` or `pipeline`. */
  readonly command: mongo.Document;
}

/** The channel on which Node reports a request whose head has been read, before any listener runs. */
const REQUEST_START = 'http.server.request.start';

/**
 * Records the commands of a server that was started with `monitorCommands`, each with the endpoint
 * whose request caused it. A request belongs to the endpoint of the `during` call in which it arrives,
 * so requests of one endpoint may overlap, but not requests of different endpoints. Recording stops
 * after the tests of the file.
 */
export class CommandRecorder {
  private readonly recorded: RecordedCommand[] = [];
  private readonly requests = new AsyncLocalStorage<{ readonly endpoint: string | null }>();
  private readonly clients: readonly mongo.MongoClient[];
  private readonly server: Server;
  private currentEndpoint: string | null = null;

  /** @throws Error for a server without `monitorCommands`, because its commands are not visible */
  constructor({ app }: { readonly app: NestFastifyApplication }) {
    this.clients = clientsOf(app);
    this.server = app.getHttpServer();
    for (const client of this.clients) client.on('commandStarted', this.onCommand);
    subscribe(REQUEST_START, this.onRequest);
    atEnd(() => this.stop());
  }

  /** The commands recorded so far, in order. */
  get commands(): readonly RecordedCommand[] {
    return this.recorded;
  }

  /** Runs the work. Commands of requests that arrive meanwhile are recorded under this endpoint. */
  async during<Result>(endpoint: string, work: () => Promise<Result>): Promise<Result> {
    if (this.currentEndpoint !== null) throw new Error(`${this.currentEndpoint} is not finished`);
    this.currentEndpoint = endpoint;
    try {
      return await work();
    } finally {
      this.currentEndpoint = null;
    }
  }

  clear(): void {
    this.recorded.length = 0;
  }

  stop(): void {
    for (const client of this.clients) client.off('commandStarted', this.onCommand);
    unsubscribe(REQUEST_START, this.onRequest);
  }

  private readonly onRequest = (message: unknown): void => {
    const { server } = message as { server: Server };
    if (server === this.server) this.requests.enterWith({ endpoint: this.currentEndpoint });
  };

  private readonly onCommand = ({ commandName, command }: mongo.CommandStartedEvent): void => {
    const target: unknown = command[commandName];
    this.recorded.push({
      endpoint: this.requests.getStore()?.endpoint ?? null,
      name: commandName,
      collection: typeof target === 'string' ? target : null,
      command,
    });
  };
}

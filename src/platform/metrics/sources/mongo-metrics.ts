import type { mongo } from 'mongoose';
import { DurationHistogram } from './duration-histogram.js';
import type { Metric, Sample } from '../metric.js';

const COMMANDS = 'pressroom_mongodb_command_duration_seconds';

/** The figures of one MongoClient. */
class ClientFigures {
  readonly commands = new Map<string, DurationHistogram>();
  readonly failures = new Map<string, number>();
  /** Open connections by address and id. */
  readonly connections = new Set<string>();
  inUse = 0;
  waiting = 0;
  checkOutFailures = 0;

  constructor(client: mongo.MongoClient) {
    client.on('commandSucceeded', (event) => this.addCommand(event));
    client.on('commandFailed', (event) => {
      this.addCommand(event);
      this.failures.set(event.commandName, (this.failures.get(event.commandName) ?? 0) + 1);
    });
    client.on('connectionCreated', (event) => this.connections.add(keyOf(event)));
    client.on('connectionClosed', (event) => this.connections.delete(keyOf(event)));
    client.on('connectionCheckOutStarted', () => (this.waiting += 1));
    client.on('connectionCheckedOut', (event) => {
      this.waiting -= 1;
      this.inUse += 1;
      // The connection may have been created before the listeners were added.
      this.connections.add(keyOf(event));
    });
    client.on('connectionCheckOutFailed', () => {
      this.waiting -= 1;
      this.checkOutFailures += 1;
    });
    client.on('connectionCheckedIn', () => (this.inUse -= 1));
  }

  /** Counts a command. Only Pressroom names the commands, so clients of the API cannot add labels. */
  private addCommand({
    commandName,
    duration,
  }: mongo.CommandSucceededEvent | mongo.CommandFailedEvent): void {
    let durations = this.commands.get(commandName);
    if (!durations) this.commands.set(commandName, (durations = new DurationHistogram()));
    durations.observe(duration / 1_000);
  }
}

/** Counts what MongoDB's driver reports: its commands (with `monitorCommands`) and its pools. */
export class MongoMetrics {
  private readonly clients = new Map<string, ClientFigures>();

  /** @param name value of the label `client`, such as `requests` */
  watch(name: string, client: mongo.MongoClient): void {
    this.clients.set(name, new ClientFigures(client));
  }

  get metrics(): Metric[] {
    return [
      {
        name: COMMANDS,
        type: 'histogram',
        help: 'Commands of MongoDB by client of the driver and name. The change stream waits in getMore.',
        read: () => this.commands(),
      },
      {
        name: 'pressroom_mongodb_command_failures_total',
        type: 'counter',
        help: 'Commands of MongoDB that have failed, by client and name.',
        read: () =>
          this.each(({ failures }) =>
            [...failures].map(([command, value]) => ({ value, labels: { command } })),
          ),
      },
      {
        name: 'pressroom_mongodb_pool_connections',
        type: 'gauge',
        help: 'Open connections to MongoDB by client and state.',
        read: () =>
          this.each(({ connections, inUse }) => [
            { value: inUse, labels: { state: 'in-use' } },
            { value: Math.max(0, connections.size - inUse), labels: { state: 'idle' } },
          ]),
      },
      {
        name: 'pressroom_mongodb_pool_waiting',
        type: 'gauge',
        help: 'Operations that wait for a connection to MongoDB, by client.',
        read: () => this.each(({ waiting }) => [{ value: waiting }]),
      },
      {
        name: 'pressroom_mongodb_pool_failures_total',
        type: 'counter',
        help: 'Operations that got no connection to MongoDB, by client.',
        read: () => this.each(({ checkOutFailures }) => [{ value: checkOutFailures }]),
      },
    ];
  }

  private *commands(): Generator<Sample> {
    for (const [client, { commands }] of this.clients) {
      for (const [command, durations] of commands) {
        yield* durations.samples(COMMANDS, { client, command });
      }
    }
  }

  private *each(samplesOf: (figures: ClientFigures) => Sample[]): Generator<Sample> {
    for (const [client, figures] of this.clients) {
      for (const { value, labels } of samplesOf(figures)) {
        yield { value, labels: { client, ...labels } };
      }
    }
  }
}

function keyOf({
  address,
  connectionId,
}: mongo.ConnectionPoolMonitoringEvent & { connectionId: number | '<monitor>' }): string {
  return `${address} ${connectionId}`;
}

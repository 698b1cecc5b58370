import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DatabaseModule } from '../../../../src/platform/database/database.module.js';
import { freshDatabaseUri } from '../../../support/mongo/mongo.js';

/** Node's diagnostics channel that reports each socket that connects. */
const SOCKETS = 'net.client.socket';

describe('failWritesToClosedConnections', () => {
  const sockets: Socket[] = [];
  const noteSocket = (message: unknown) => sockets.push((message as { socket: Socket }).socket);
  const failed: string[] = [];
  let client: mongoose.mongo.MongoClient;

  beforeAll(async () => {
    // Patches the driver, as each program does before it connects.
    DatabaseModule.register({ migrations: [], join: false, servesRequests: true });
    subscribe(SOCKETS, noteSocket);
    client = new mongoose.mongo.MongoClient(freshDatabaseUri(), {
      // Without the patch the write would never end, and the only connection would stay in use.
      maxPoolSize: 1,
      monitorCommands: true,
    });
    client.on('commandFailed', ({ commandName }) => failed.push(commandName));
    await client.connect();
  });

  afterAll(async () => {
    unsubscribe(SOCKETS, noteSocket);
    await client.close();
  });

  it('should let the driver retry a write to a socket that was closed without an error', async () => {
    const records = client.db().collection<{ _id: number }>('records');
    await records.insertOne({ _id: 1 });
    // The driver learns that a socket is closed from the event `close`, which comes later.
    client.once('connectionCheckedOut', () => sockets.forEach((socket) => socket.destroy()));
    await records.insertOne({ _id: 2 });
    expect(failed).toEqual(['insert']);
    expect(await records.countDocuments()).toBe(2);
  });
});

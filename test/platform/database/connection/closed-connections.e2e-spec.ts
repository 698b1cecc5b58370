import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DatabaseModule } from '../../../../src/platform/database/database.module.js';
import { freshDatabaseUri } from '../../../support/mongo/mongo.js';

/** Of Node, for each socket that connects. */
const SOCKETS = 'net.client.socket';

describe('failWritesToClosedConnections', () => {
  const sockets: Socket[] = [];
  const note = (message: unknown) => sockets.push((message as { socket: Socket }).socket);
  const failed: string[] = [];
  let client: mongoose.mongo.MongoClient;

  beforeAll(async () => {
    // As each program does, before it connects.
    DatabaseModule.register({ migrations: [], join: false, servesRequests: true });
    subscribe(SOCKETS, note);
    client = new mongoose.mongo.MongoClient(freshDatabaseUri(), {
      // The next operation waits for a connection that never comes back.
      maxPoolSize: 1,
      monitorCommands: true,
    });
    client.on('commandFailed', ({ commandName }) => failed.push(commandName));
    await client.connect();
  });

  afterAll(async () => {
    unsubscribe(SOCKETS, note);
    await client.close();
  });

  it('should let the driver repeat what it writes to a socket that is closed without an error', async () => {
    const records = client.db().collection<{ _id: number }>('records');
    await records.insertOne({ _id: 1 });
    // The event `close` of the sockets comes later.
    client.once('connectionCheckedOut', () => sockets.forEach((socket) => socket.destroy()));
    await records.insertOne({ _id: 2 });
    expect(failed).toEqual(['insert']);
    expect(await records.countDocuments()).toBe(2);
  });
});

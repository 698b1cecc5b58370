import type { INestApplicationContext } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';
import { BACKGROUND } from '../../../src/platform/database/client-options.js';

/**
 * The MongoDB clients of a server: for requests, and for background work.
 *
 * @throws Error for a server without `monitorCommands`, because its commands are not visible
 */
export function clientsOf(app: INestApplicationContext): readonly mongo.MongoClient[] {
  return [getConnectionToken(), getConnectionToken(BACKGROUND)].map((token) => {
    const client = app.get<Connection>(token).getClient();
    if (!client.options.monitorCommands) throw new Error('the server does not monitor commands');
    return client;
  });
}

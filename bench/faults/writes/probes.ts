import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { messageOf } from '../../../scripts/support/user-error.ts';
import { atEnd } from '../../support/program.ts';
import { cycled } from '../../support/statistics.ts';
import type { Client } from '../testbed/client.ts';
import type { SendProbe } from './prober.ts';

/** Messages of the contact form, to these servers in turn. */
export function messagesTo(clients: readonly Client[]): SendProbe {
  return async (message, at) => {
    const outcome = await cycled(clients, at).send({
      method: 'POST',
      path: '/contact',
      body: { type: 'probe', msg: message },
      headers: { 'idempotency-key': randomUUID() },
    });
    const result =
      outcome.kind === 'lost'
        ? 'lost'
        : `${outcome.status}${outcome.reason && ` ${outcome.reason}`}`;
    return { answeredAt: outcome.at, result };
  };
}

/**
 * Writes of MongoDB's driver alone, beside the database of the servers: what a fault costs without them. Its
 * connections end with the program.
 */
export function insertsInto(uri: string): SendProbe {
  const client = new mongoose.mongo.MongoClient(uri);
  atEnd(() => client.close());
  const inserts = client
    .db('baseline')
    .collection<{ _id: string }>('inserts', { writeConcern: { w: 'majority' } });
  return async (message) => {
    const result = await inserts.insertOne({ _id: message }).then(() => '200', messageOf);
    return { answeredAt: performance.now(), result };
  };
}

import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { messageOf } from '../../../scripts/support/user-error.ts';
import { atEnd } from '../../support/program.ts';
import { cycled } from '../../support/statistics.ts';
import type { Client } from '../testbed/client.ts';
import type { SendProbe } from './prober.ts';

/** Sends messages of the contact form to the servers in turn. */
export function messagesTo(clients: readonly Client[]): SendProbe {
  return async (message, index) => {
    const outcome = await cycled(clients, index).send({
      method: 'POST',
      path: '/contact',
      body: { type: 'probe', msg: message },
      headers: { 'idempotency-key': randomUUID() },
    });
    const result = outcome.kind === 'lost' ? 'lost' : `${outcome.status} ${outcome.reason}`.trim();
    return { answeredAt: outcome.at, result };
  };
}

/**
 * Inserts records with MongoDB's driver alone, in another database of the same replica set: this shows how long
 * MongoDB itself accepts no writes. The connections end with the program.
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

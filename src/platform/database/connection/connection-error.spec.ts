import mongoose from 'mongoose';
import { describe, expect, it } from '@jest/globals';
import { explainConnectionError, type ConnectionProblem } from './connection-error.js';

const CLOSED_PORT = '127.0.0.1:1';
const UNKNOWN_HOST = 'nowhere.invalid';

async function problemWith(uri: string): Promise<ConnectionProblem> {
  try {
    await mongoose.mongo.MongoClient.connect(uri, { serverSelectionTimeoutMS: 300 });
  } catch (error) {
    return explainConnectionError(error);
  }
  throw new Error('the client has connected');
}

describe('explainConnectionError', () => {
  it.each([
    [
      'an unknown option',
      `mongodb://${CLOSED_PORT}/x?nonsense=1`,
      'option nonsense is not supported',
    ],
    ['a port out of range', 'mongodb://127.0.0.1:99999/x', 'MONGODB_URI cannot be used'],
    ['an unknown host', `mongodb://${UNKNOWN_HOST}/x`, 'No host of the database is known here'],
  ])('should be final for %s', async (_, uri, text) => {
    const { message, isFinal } = await problemWith(uri);
    expect(isFinal).toBe(true);
    expect(message).toContain(text);
  });

  it.each([
    ['a server that does not answer', `mongodb://${CLOSED_PORT}/x`],
    ['an unknown host and a known one', `mongodb://${UNKNOWN_HOST},${CLOSED_PORT}/x?replicaSet=r`],
  ])('should not be final for %s', async (_, uri) => {
    const { message, isFinal } = await problemWith(uri);
    expect(isFinal).toBe(false);
    expect(message).toMatch(/^The database cannot be reached \(.*\): start it, or /);
  });

  it.each([
    ['a wrong password', 18, true, 'The database refuses the user of MONGODB_URI'],
    ['a missing privilege', 13, false, 'The database refused an operation'],
    ['a member that no replica set has', 13_436, false, 'its replica set was never initiated'],
  ])('should explain %s', (_, code, isFinal, text) => {
    const error = new mongoose.mongo.MongoServerError({ code, errmsg: 'no.' });
    const problem = explainConnectionError(error);
    expect(problem.isFinal).toBe(isFinal);
    expect(problem.message).toContain(text);
  });

  it('should tell how to initiate a replica set', () => {
    const error = Object.assign(new mongoose.mongo.MongoServerSelectionError('none', {} as never), {
      reason: { servers: new Map([['localhost:27017', { type: 'RSGhost' }]]) },
    });
    const { message, isFinal } = explainConnectionError(error);
    expect(isFinal).toBe(false);
    expect(message).toMatch(/its replica set was never initiated: run rs\.initiate\(\) in mongosh/);
  });
});

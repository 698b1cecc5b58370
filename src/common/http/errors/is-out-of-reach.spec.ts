import { describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { isOutOfReach } from './is-out-of-reach.js';

const {
  MongoDriverError,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoRuntimeError,
  MongoServerError,
  MongoServerSelectionError,
} = mongoose.mongo;

/** The driver does not export the classes of its pool's errors. */
function ofPool(name: string): Error {
  return Object.defineProperty(new MongoDriverError('busy'), 'name', { value: name });
}

function answered(code: number): Error {
  return new MongoServerError({ message: 'answered', code });
}

describe('isOutOfReach', () => {
  it.each([
    ['a broken connection', new MongoNetworkError('broken')],
    ['a silent connection', new MongoNetworkTimeoutError('silent')],
    ['an operation that took too long', new MongoOperationTimeoutError('late')],
    ['a wait for a connection', ofPool('MongoWaitQueueTimeoutError')],
    ['a pool that is closed', ofPool('MongoPoolClosedError')],
    ['a write that no majority has in time', answered(64)],
    ['a closed client', new MongoNotConnectedError('closed')],
    ['no server to choose', new MongoServerSelectionError('none', {} as never)],
    ['no server to choose at the start', new mongoose.Error.MongooseServerSelectionError('none')],
    ['a wait for what a member has not got', answered(50)],
    ['a shutdown', answered(91)],
    ['an interrupted operation', answered(11_600)],
    ['a step-down', answered(189)],
    ['a node that is no primary', answered(10_107)],
    ['an election', answered(11_602)],
    ['no primary, no secondary', answered(13_435)],
    ['a node that recovers', answered(13_436)],
  ])('should be true for %s', (_what, error) => {
    expect(isOutOfReach(error)).toBe(true);
  });

  it.each([
    ['a duplicate', answered(11_000)],
    ['a bad query', answered(2)],
    ['a missing permission', answered(13)],
    ['a write conflict', answered(112)],
    ['a misuse of the driver', new MongoRuntimeError('misuse')],
    ['a bad value', new mongoose.Error.CastError('Number', 'x', 'score')],
    ['an error of ours', new Error('ours')],
    ['another error of the driver', new MongoDriverError('misuse')],
    [
      'a look-alike of a full pool',
      Object.assign(new Error('ours'), { name: 'MongoWaitQueueTimeoutError' }),
    ],
    ['a look-alike', Object.assign(new Error('ours'), { code: 11_600 })],
    ['nothing', undefined],
    ['null', null],
    ['a text', 'MongoNetworkError'],
  ])('should be false for %s', (_what, error) => {
    expect(isOutOfReach(error)).toBe(false);
  });
});

import { describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { isDatabaseUnavailable } from './is-database-unavailable.js';

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

/** A pool error by its name, because the driver does not export the classes. */
function poolError(name: string): Error {
  return Object.defineProperty(new MongoDriverError('busy'), 'name', { value: name });
}

function serverError(code: number): Error {
  return new MongoServerError({ message: 'failed', code });
}

function labelled(label: string): Error {
  return new MongoServerError({ message: 'failed', code: 112, errorLabels: [label] });
}

/** The error that the driver throws when its socket fails. */
function systemError(syscall: string, code: string): Error {
  return Object.assign(new Error(`${syscall} ${code}`), { syscall, code });
}

describe('isDatabaseUnavailable', () => {
  it.each([
    ['a broken connection', new MongoNetworkError('broken')],
    ['a silent connection', new MongoNetworkTimeoutError('silent')],
    ['an operation that took too long', new MongoOperationTimeoutError('late')],
    ['a wait for a connection', poolError('MongoWaitQueueTimeoutError')],
    ['a pool that is closed', poolError('MongoPoolClosedError')],
    ['a write that is not replicated to a majority in time', serverError(64)],
    ['a closed client', new MongoNotConnectedError('closed')],
    ['no server to choose', new MongoServerSelectionError('none', {} as never)],
    [
      'no server to choose at the first connection',
      new mongoose.Error.MongooseServerSelectionError('none'),
    ],
    ['a causal read of a member that lags behind', serverError(50)],
    ['a shutdown', serverError(91)],
    ['an interrupted operation', serverError(11_600)],
    ['a step-down', serverError(189)],
    ['a node that is no primary', serverError(10_107)],
    ['an election', serverError(11_602)],
    ['no primary, no secondary', serverError(13_435)],
    ['a node that is recovering', serverError(13_436)],
    ['a full disk', serverError(14_031)],
    ['a conflict in a transaction', labelled('TransientTransactionError')],
    ['a write that the driver could repeat', labelled('RetryableWriteError')],
    ['a connection that breaks while a command is sent', systemError('write', 'ECONNRESET')],
    ['a connection that was closed before', systemError('write', 'EPIPE')],
    [
      'a connection that MongoDB had ended before',
      Object.assign(new Error('ended by the other party'), { code: 'EPIPE' }),
    ],
  ])('should be true for %s', (_what, error) => {
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it.each([
    ['a duplicate', serverError(11_000)],
    ['a bad query', serverError(2)],
    ['a missing permission', serverError(13)],
    ['a write conflict', serverError(112)],
    ['a misuse of the driver', new MongoRuntimeError('misuse')],
    ['a bad value', new mongoose.Error.CastError('Number', 'x', 'score')],
    ['any other error', new Error('ours')],
    ['another error of the driver', new MongoDriverError('misuse')],
    [
      'another error with the name of a pool error',
      Object.assign(new Error('ours'), { name: 'MongoWaitQueueTimeoutError' }),
    ],
    [
      'another error with the code of a server error',
      Object.assign(new Error('ours'), { code: 11_600 }),
    ],
    ['another error of the system', systemError('open', 'EPIPE')],
    ['a file that is missing', systemError('read', 'ENOENT')],
    ['nothing', undefined],
    ['null', null],
    ['a text', 'MongoNetworkError'],
  ])('should be false for %s', (_what, error) => {
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});

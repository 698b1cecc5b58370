import { describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { isDatabaseUnavailable } from './is-database-unavailable.js';

const { MongoDriverError, MongoNetworkTimeoutError, MongoServerError } = mongoose.mongo;

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
  // In test/platform/database and in bench/faults, most of these errors occur on a real database.
  it.each([
    ['a subclass of a network error', new MongoNetworkTimeoutError('silent')],
    ['a wait for a connection that took too long', poolError('MongoWaitQueueTimeoutError')],
    [
      'no server to select at the first connection',
      new mongoose.Error.MongooseServerSelectionError('none'),
    ],
    ['a step-down', serverError(189)],
    ['a snapshot that MongoDB does not have while it makes an index', serverError(246)],
    ['a conflict in a transaction', labelled('TransientTransactionError')],
    ['a connection that breaks while a command is sent', systemError('write', 'ECONNRESET')],
    [
      'a connection that MongoDB had ended before the command was sent',
      Object.assign(new Error('ended by the other party'), { code: 'EPIPE' }),
    ],
  ])('should be true for %s', (_what, error) => {
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it.each([
    ['a write conflict', serverError(112)],
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
    ['a text', 'MongoNetworkError'],
  ])('should be false for %s', (_what, error) => {
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});

import { type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { isUploading, watchRate } from './slow-uploads.js';

const WINDOW_MS = 15_000;
const ENOUGH_BYTES = 15 * 8_192;

describe('watchRate', () => {
  let socket: { bytesRead: number };
  let ends: number;
  let arrived: () => void;

  beforeEach(() => {
    jest.useFakeTimers();
    socket = { bytesRead: 1_000 };
    ends = 0;
    arrived = watchRate(socket as Socket, () => (ends += 1));
  });

  afterEach(() => {
    arrived();
    jest.useRealTimers();
  });

  function pass(bytes: number): void {
    socket.bytesRead += bytes;
    jest.advanceTimersByTime(WINDOW_MS);
  }

  it('should let an upload take its time that keeps the lowest rate', () => {
    for (let window = 0; window < 100; window += 1) pass(ENOUGH_BYTES);
    expect([ends, isUploading(socket as Socket)]).toEqual([0, true]);
    arrived();
    expect(isUploading(socket as Socket)).toBe(false);
    pass(0);
    expect(ends).toBe(0);
  });

  it('should end one that falls below it in any window, once', () => {
    pass(10 * ENOUGH_BYTES);
    pass(ENOUGH_BYTES - 1);
    expect([ends, isUploading(socket as Socket)]).toEqual([1, false]);
    pass(0);
    expect(ends).toBe(1);
  });

  it('should end one that takes an hour', () => {
    for (let window = 0; window < 240; window += 1) pass(ENOUGH_BYTES);
    expect(ends).toBe(0);
    pass(ENOUGH_BYTES);
    expect(ends).toBe(1);
  });
});

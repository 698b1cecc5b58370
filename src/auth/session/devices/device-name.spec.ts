import { describe, expect, it } from '@jest/globals';
import { deviceNameOf } from './device-name.js';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/';

describe('deviceNameOf', () => {
  it.each([
    [`${FIREFOX}128.0`, 'Firefox on Windows'],
    [`${FIREFOX}131.0`, 'Firefox on Windows'],
    ['Pressroom/1.0 (iPhone)', 'Pressroom on iOS'],
    ['curl/8.1', 'curl'],
    ['phone', 'phone'],
    ['see https://evil.example/ at once', 'unknown device'],
    ['(((', 'unknown device'],
    [' ', 'unknown device'],
    ['x'.repeat(200), 'unknown device'],
  ])('should name %j %j', (userAgent, name) => {
    expect(deviceNameOf(userAgent)).toBe(name);
  });
});

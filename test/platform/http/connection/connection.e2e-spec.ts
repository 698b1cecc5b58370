import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { API_KEY, startApp, type TestApp } from '../../../support/start-app.js';
import { expectRefusal, sendBytes } from '../raw-http.js';

const CLOSE = 'connection: close';

describe('Malformed and unusual requests', () => {
  let server: TestApp;

  beforeAll(async () => {
    server = await startApp();
  });

  function node(): Server {
    return server.app.getHttpServer();
  }

  function lines(...parts: readonly string[]): string {
    return [...parts, '', ''].join('\r\n');
  }

  function chunked(chunk: string, type: string): string {
    const headers = ['host: a', `x-api-key: ${API_KEY}`, 'transfer-encoding: chunked', type, CLOSE];
    return lines('POST /contact HTTP/1.1', ...headers) + chunk;
  }

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['an unknown method', lines('FETCH /health HTTP/1.1', 'host: a', CLOSE)],
    ['a NUL in a header', lines('GET /health HTTP/1.1', 'host: a', 'x-api-key: a\0b', CLOSE)],
    [
      'a length and chunks, which proxies interpret differently',
      lines(
        'POST /contact HTTP/1.1',
        'host: a',
        'content-length: 4',
        'transfer-encoding: chunked',
        CLOSE,
      ),
    ],
    ['a broken chunk', chunked('zz\r\n', 'content-type: application/json')],
  ])('should respond to %s with an envelope', async (_what, bytes) => {
    const answer = await sendBytes(server.url, bytes);
    expect(expectRefusal(answer, 400)).toBe('malformed HTTP request');
    expect(answer.headers['connection']).toBe('close');
  });

  it.each([
    ['with the headers', 'zz\r\n', undefined, 400],
    ['after the response', '', 'zz\r\n', 415],
  ])(
    'should respond once if a malformed chunk of an unread body arrives %s',
    async (_when, withHeaders, afterResponse, expected) => {
      const headers = ['host: a', `x-api-key: ${API_KEY}`, 'transfer-encoding: chunked'];
      const request = lines('POST /contact HTTP/1.1', ...headers, 'content-type: text/plain');
      const { status, text } = await sendBytes(server.url, request + withHeaders, afterResponse);
      expect(status).toBe(expected);
      expect(text).not.toContain('HTTP/1.1');
    },
  );

  it.each([
    ['in HTTP/1.1', 'GET /blogs/latest HTTP/1.1', [CLOSE]],
    ['in HTTP/1.0', 'GET /blogs/latest HTTP/1.0', []],
    ['and needs no key', 'GET /health/live HTTP/1.1', [CLOSE]],
  ])(
    'should respond to a request that ends its connection %s, and to nothing after it',
    async (_how, requestLine, headers) => {
      const last = lines(requestLine, 'host: a', `x-api-key: ${API_KEY}`, ...headers);
      const { status, text } = await sendBytes(
        server.url,
        last + lines('GET / HTTP/1.1', 'host: a'),
      );
      expect(status).toBe(200);
      expect(text).not.toContain('HTTP/1.1');
    },
  );

  it('should accept headers of 16 KiB minus 1 byte, and refuse longer headers and a longer path with 431', async () => {
    /** Node counts the path and the names and values of headers, but not the separators. */
    const headersOf = (bytes: number): string => {
      const counted = ['/health', 'host', 'a', 'connection', 'close', 'x-filler'].join('').length;
      const filler = `x-filler: ${'a'.repeat(bytes - counted)}`;
      return lines('GET /health HTTP/1.1', 'host: a', CLOSE, filler);
    };
    expect((await sendBytes(server.url, headersOf(16_383))).status).toBe(200);
    const answer = await sendBytes(server.url, headersOf(16_384));
    expect(expectRefusal(answer, 431)).toBe('the request headers are larger than 16 KiB');
    const path = lines(`GET /blogs/tag/${'a'.repeat(17_000)} HTTP/1.1`, 'host: a', CLOSE);
    expectRefusal(await sendBytes(server.url, path), 431);
  });

  it('should refuse HTTP/1.1 without a host (RFC 9112, section 3.2), and accept HTTP/1.0', async () => {
    const answer = await sendBytes(server.url, lines('GET /health HTTP/1.1', CLOSE));
    expect(expectRefusal(answer, 400)).toBe('the host header is missing');
    expect((await sendBytes(server.url, lines('GET /health HTTP/1.0'))).status).toBe(200);
  });

  it.each([
    ['two hosts', 'GET /health HTTP/1.1', ['host: a', 'host: b']],
    ['two hosts, apart, as Host and HOST', 'GET /health HTTP/1.1', ['Host: a', 'x: y', 'HOST: b']],
    ['two hosts in a cached read', 'GET /blogs/latest HTTP/1.1', ['host: a', 'host: b']],
  ])('should refuse %s (RFC 9112, section 3.2)', async (_what, start, hosts) => {
    const key = `x-api-key: ${API_KEY}`;
    const one = lines(start, 'host: a', key, CLOSE);
    expect((await sendBytes(server.url, one)).status).toBe(200);
    const answer = await sendBytes(server.url, lines(start, ...hosts, key, CLOSE));
    expect(expectRefusal(answer, 400)).toBe('the host header is there twice: send one');
  });

  it.each([
    ['an unknown expectation (RFC 9110, section 10.1.1)', [CLOSE, 'expect: the-unexpected']],
    ['a request to upgrade', ['connection: upgrade, close', 'upgrade: websocket']],
  ])('should ignore %s', async (_what, headers) => {
    const request = lines('GET /health HTTP/1.1', 'host: a', ...headers);
    expect((await sendBytes(server.url, request)).status).toBe(200);
  });

  it('should accept a request target in absolute form', async () => {
    const request = (path: string): string =>
      lines(`GET http://example.org${path} HTTP/1.1`, 'host: a', CLOSE);
    expect((await sendBytes(server.url, request('/health'))).status).toBe(200);
    expectRefusal(await sendBytes(server.url, request('/nowhere')), 404);
    expectRefusal(await sendBytes(server.url, request('/contact')), 405);
  });

  it('should refuse a key that is sent twice', async () => {
    const key = `x-api-key: ${API_KEY}`;
    const once = lines('GET /blogs/latest HTTP/1.1', 'host: a', key, CLOSE);
    expect((await sendBytes(server.url, once)).status).toBe(200);
    const twice = lines('GET /blogs/latest HTTP/1.1', 'host: a', key, key, CLOSE);
    expect(expectRefusal(await sendBytes(server.url, twice), 403)).toBe(
      'permission denied: invalid x-api-key',
    );
  });

  it('should have timeouts for headers, whole requests and idle connections', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout } = node();
    expect(headersTimeout).toBe(10_000);
    expect(requestTimeout).toBe(15_000);
    expect(keepAliveTimeout).toBeGreaterThan(60_000);
  });

  it('should respond to a slow request with 408, and not respond to a reset', () => {
    const slow = new FakeSocket();
    const error = Object.assign(new Error('slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    node().emit('clientError', error, slow);
    const [head = '', body = ''] = slow.sent.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(JSON.parse(body)).toEqual({
      code: '10001',
      status: 408,
      message: 'the request took too long to arrive',
      reason: 'request_timeout',
    });
    const reset = new FakeSocket();
    node().emit('clientError', Object.assign(new Error('reset'), { code: 'ECONNRESET' }), reset);
    expect(reset).toMatchObject({ sent: '', isDestroyed: true });
  });
});

/** A fake for `clientError` events that a test emits itself. slow.e2e-spec.ts has real slow clients. */
class FakeSocket extends EventEmitter {
  sent = '';
  isDestroyed = false;
  readonly destroyed = false;
  readonly writable = true;

  end(text: string): void {
    this.sent = text;
    this.emit('close');
  }

  destroy(): void {
    this.isDestroyed = true;
  }

  resume(): void {}
}

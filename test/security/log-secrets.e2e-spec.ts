import { beforeAll, describe, expect, it } from '@jest/globals';
import { sendBytes } from '../platform/http/raw-http.js';
import { makeKey } from '../support/jwt.js';
import { expectNoSecrets } from '../support/checks/log-secrets.js';
import { freshDatabaseUri } from '../support/mongo/mongo.js';
import { startNode, temporaryFolder, untilReady, type RunningProcess } from '../support/process.js';
import { until } from '../support/time/wait.js';

describe('The check for secrets in the log of a closed server', () => {
  const line = (text: string): string => `${JSON.stringify({ level: 30, msg: `a ${text} b` })}\n`;
  const KNOWN_SECRETS = { 'the password': 'correct horse' };
  const RANDOM = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4Y';

  it('should accept lines without secrets', () => {
    const harmless = ['v1.2.3', 'eyJ', 'pr_short', '$2b$', '66f1a2b3c4d5e6f708192a3b'];
    expect(() => expectNoSecrets(harmless.map(line), KNOWN_SECRETS)).not.toThrow();
  });

  it.each([
    ['the password', 'correct horse'],
    ['an API key', `pr_${RANDOM}`],
    ['an access token', `eyJhbGciOi.eyJzdWIiOi.${RANDOM}`],
    [
      'a refresh token',
      `v1.${RANDOM.slice(0, 43)}.66f1a2b3c4d5e6f708192a3b.7.${RANDOM.slice(0, 43)}`,
    ],
    ['a preview token', `GET /blog/preview/${RANDOM.slice(0, 43)}`],
    ['a bcrypt hash', '$2b$10$7QTmuShTZN0bRQUVWkNX0uk11456KdZj.ZWy/FP5q5OjqiQeHcy0u'],
    ['a private key', makeKey().pem],
  ])('should refuse %s without repeating it', (label, secret) => {
    const check = (): void => expectNoSecrets([line('nothing'), line(secret)], KNOWN_SECRETS);
    expect(check).toThrow(`the log holds ${label}: `);
    expect(check).not.toThrow(secret.split('\n')[1] ?? secret);
  });
});

describe('The readable log of development', () => {
  let folder: string;
  let server: RunningProcess;
  let url: string;
  const uri = freshDatabaseUri();

  beforeAll(async () => {
    folder = await temporaryFolder();
    const env = {
      NODE_ENV: 'development',
      MONGODB_URI: uri,
      PORT: '0',
      LOG_LEVEL: 'trace',
      LOG_REQUESTS: 'all',
    };
    server = startNode(['dist/main.js'], { cwd: folder, env });
    url = await untilReady(server);
  }, 90_000);

  it('should show no line that a request forges, and nothing that steers the terminal', async () => {
    const FORGERY = '\u001b[2J\u001b]0;forged\u0007\u009b31m forged';
    const escaped = encodeURIComponent(`\r\n[10:00:00] INFO: forged ${FORGERY}`);
    const body = JSON.stringify({ type: `\r\n${FORGERY}`, msg: FORGERY });
    const close = 'host: a\r\nconnection: close';
    const requests = [
      `GET /${escaped} HTTP/1.1\r\n${close}`,
      `GET /blog/slug/${escaped}?page=${escaped} HTTP/1.1\r\n${close}\r\nx-api-key: ${escaped}`,
      `GET /health HTTP/1.1\r\n${close}\r\nx-request-id: ${FORGERY}`,
      `GET /health HTTP/1.1\r\n${close}\r\nx-request-id: a\r[10:00:00] INFO: forged`,
      // Node accepts these bytes, but a terminal may read the first one as the start of an escape sequence.
      `GET /health HTTP/1.1\r\n${close}\r\nx-request-id: \u009b31mforged`,
      `GET /health HTTP/1.1\r\n${close}\r\nuser-agent: ${FORGERY}`,
      `GET /${FORGERY} HTTP/1.1\r\n${close}`,
      `${FORGERY}`,
      `POST /contact HTTP/1.1\r\n${close}\r\ncontent-type: application/json\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    ];
    for (const request of requests) {
      const { status } = await sendBytes(url, Buffer.from(`${request}\r\n\r\n`, 'latin1'));
      expect([200, 400, 401, 403, 404]).toContain(status);
    }
    await sendBytes(url, `GET /health/live HTTP/1.1\r\n${close}\r\nx-request-id: the-last\r\n\r\n`);
    await until('the last line', () => server.output.stdout.includes('the-last'));
    const { stdout, stderr } = server.output;
    expect(stdout).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: request \{/m);
    expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n]/u);
    expect(stdout + stderr).not.toContain('forged');
  });
});

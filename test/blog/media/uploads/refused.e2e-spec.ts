import { randomBytes } from 'node:crypto';
import { readdir, readlink } from 'node:fs/promises';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { person, type Person } from '../../../support/factories.js';
import { pictureFile, upload } from '../../../support/media/pictures.js';
import { temporaryFolder } from '../../../support/process.js';
import { startApp, type TestApp } from '../../../support/start-app.js';
import { until } from '../../../support/time/wait.js';
import { RawClient } from '../../../platform/http/connection/raw-client.js';
import { arrivingFiles, chunk, formBytes, storedPictures, uploadHead } from './raw-upload.js';

const MIB = 1_048_576;
const NO_FORM = 'the body is not a whole form of multipart/form-data';

describe('The form of an upload', () => {
  let server: TestApp;
  let author: Person;
  let jpeg: Buffer;
  const clients: RawClient[] = [];

  beforeAll(async () => {
    const folder = await temporaryFolder();
    server = await startApp({ env: { MEDIA_MAX_MB: '1', MEDIA_CACHE_DIR: folder } });
    author = await person(server, 'AUTHOR');
    jpeg = await pictureFile('jpeg', 60, 40);
  });

  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    await until('no file to be left', async () => (await arrivingFiles(server)).length === 0);
  });

  function open(...texts: readonly (string | Buffer)[]): RawClient {
    const client = new RawClient(server.url);
    for (const text of texts) client.write(text);
    clients.push(client);
    return client;
  }

  async function answerTo(...texts: readonly (string | Buffer)[]): Promise<RawClient> {
    const client = open(...texts);
    await until('an answer', () => /\}$/.test(client.received));
    return client;
  }

  function send(body: Buffer, ...headers: readonly string[]): Promise<RawClient> {
    return answerTo(uploadHead(author, body.length, ...headers), body);
  }

  /** Files of the uploads that the process holds open. */
  async function openFiles(): Promise<string[]> {
    const names = await readdir('/proc/self/fd');
    const paths = await Promise.all(
      names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')),
    );
    return paths.filter((path) => path.includes('/uploads/'));
  }

  it('should be refused with 413 when Content-Length announces a larger one', async () => {
    const client = await answerTo(uploadHead(author, 2 * MIB));
    expect(client.statuses).toEqual(['413']);
    expect(client.received).toContain('"message":"the body is larger than');
  });

  it.each(['with Content-Length', 'chunked'])(
    'should be refused with 413 when the file is larger, %s',
    async (way) => {
      const body = formBytes([['file', Buffer.concat([jpeg, Buffer.alloc(MIB)])]]);
      const isChunked = way === 'chunked';
      const client = await answerTo(
        uploadHead(author, isChunked ? null : body.length),
        ...(isChunked ? [chunk(body), '0\r\n\r\n'] : [body]),
      );
      expect(client.statuses).toEqual(['413']);
      expect(client.received).toContain('"message":"the body is larger than 1 MiB"');
    },
  );

  it('should be refused with 413 while a chunked one goes on for ever', async () => {
    const client = open(uploadHead(author, null), chunk(formBytes([['file', jpeg]])));
    const more = chunk(Buffer.alloc(65_536));
    await until('an answer', () => {
      client.write(more);
      return client.statuses.length > 0;
    });
    expect(client.statuses).toEqual(['413']);
  });

  it.each<[string, number, string, () => Buffer]>([
    ['no part', 400, NO_FORM, () => Buffer.from('')],
    ['no file', 422, 'file is missing: send a picture', () => formBytes([['alt', 'grey']])],
    ['a text as file', 422, 'file must be a file', () => formBytes([['file', 'grey']])],
    [
      'two files',
      422,
      'the form has more than one file',
      () =>
        formBytes([
          ['file', jpeg],
          ['file', jpeg],
        ]),
    ],
    ['a file of another name', 422, 'photo is no file', () => formBytes([['photo', jpeg]])],
    [
      'too many fields',
      422,
      'too many fields',
      () =>
        formBytes([...Array.from({ length: 1_001 }, () => ['alt', ''] as const), ['file', jpeg]]),
    ],
    [
      'a field that is too long',
      422,
      'too long ones',
      () =>
        formBytes([
          ['alt', 'a'.repeat(20_000)],
          ['file', jpeg],
        ]),
    ],
    [
      'a name of the prototype',
      400,
      NO_FORM,
      () =>
        formBytes([
          ['__proto__', '{"a":1}'],
          ['file', jpeg],
        ]),
    ],
    ['half a file', 400, NO_FORM, () => formBytes([['file', jpeg]], { isWhole: false })],
    ['half another file', 422, 'is no file', () => formBytes([['a', jpeg]], { isWhole: false })],
    ['another boundary', 400, NO_FORM, () => Buffer.from('--another\r\n\r\n--another--')],
    ['noise', 400, NO_FORM, () => randomBytes(10_000)],
  ])('should be refused with %s', async (_what, status, message, makeBody) => {
    const before = await storedPictures(server);
    const client = await send(makeBody());
    expect(client.statuses).toEqual([String(status)]);
    expect(client.received).toContain(message);
    expect(await storedPictures(server)).toEqual(before);
    await until('no file to be open', async () => (await openFiles()).length === 0);
  });

  it('should leave nothing when its client goes', async () => {
    const before = await storedPictures(server);
    const body = formBytes([['file', Buffer.concat([jpeg, Buffer.alloc(500_000)])]]);
    for (const sent of [200, 5_000, 100_000, body.length - 5]) {
      const client = open(uploadHead(author, body.length), body.subarray(0, sent));
      if (sent > 5_000) {
        await until('the file', async () => (await arrivingFiles(server)).length === 1);
      }
      client.close();
      await until('no file to be left', async () => (await arrivingFiles(server)).length === 0);
    }
    await until('no file to be open', async () => (await openFiles()).length === 0);
    expect(await storedPictures(server)).toEqual(before);
    expect((await upload(author.client, jpeg)).status).toBe(200);
  });

  it('should be told before its file is sent when the client waits for 100 Continue', async () => {
    const body = formBytes([['file', jpeg]]);
    const client = open(uploadHead(author, body.length, 'expect: 100-continue'));
    await until('100 Continue', () => client.statuses.length === 1);
    expect(client.statuses).toEqual(['100']);
    client.write(body);
    await until('an answer', () => client.statuses.length === 2);
    expect(client.statuses).toEqual(['100', '200']);
    const refused = await answerTo(uploadHead(author, 2 * MIB, 'expect: 100-continue'));
    expect(refused.statuses).toEqual(['413']);
  });

  it('should leave the connection usable', async () => {
    const body = formBytes([['file', jpeg]]);
    const client = await send(body);
    for (const [count, other] of [body, formBytes([['alt', 'a']]), body].entries()) {
      client.write(uploadHead(author, other.length));
      client.write(other);
      await until('the next answer', () => client.statuses.length === count + 2);
    }
    expect(client.statuses).toEqual(['200', '200', '422', '200']);
    expect(client.isEnded).toBe(false);
  });

  it('should be told of a refusal although it is long', async () => {
    // Without this, a browser would say nothing but that the connection was reset.
    const heic = Buffer.concat([Buffer.from('\0\0\0\x18ftypheic'), Buffer.alloc(1_000_000)]);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => upload(author.client, heic, {}, { name: 'IMG_1.HEIC' })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([415]));
  });
});

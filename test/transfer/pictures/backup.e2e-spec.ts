import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import { readBackupFile, writeBackup } from '../../../src/transfer/backup/backup-file.js';
import { restoreBackup } from '../../../src/transfer/backup/restore-backup.js';
import { InputFile } from '../../../src/transfer/input-file.js';
import { blogIn, person } from '../../support/factories.js';
import { fetchPicture, uploaded, type MediaAnswer } from '../../support/media/pictures.js';
import { temporaryFolder } from '../../support/process.js';
import { freshDatabaseUri } from '../../support/mongo/mongo.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { exported, imported, onDatabase } from '../fixture.js';

const noop = (): void => undefined;
const HTML = '<!doctype html><script>alert(document.domain)</script>';

describe('backups and exports of pictures', () => {
  let server: TestApp;
  let folder: string;
  let picture: MediaAnswer;

  beforeAll(async () => {
    server = await startApp();
    folder = await temporaryFolder();
    const [author, editor] = [await person(server, 'AUTHOR'), await person(server, 'EDITOR')];
    picture = await uploaded(author.client);
    const draftText = `<p><img src="/media/${picture._id}/a.jpg" alt="Noise"></p>`;
    const cover = { media: picture._id, alt: 'A cover', focus: { x: 0.5, y: 1 } };
    await blogIn('live', author, editor, { slug: 'pictured', draftText, cover });
  });

  /** Starts a server on a database that was restored from a backup of the first one. */
  const restored = async (): Promise<TestApp> => {
    const file = join(folder, `${String(new mongo.ObjectId())}.backup`);
    const options = { isStopped: false, files: {}, onBegin: noop, onRecords: noop };
    await onDatabase(server, (database) => writeBackup(database, file, options));
    const uri = freshDatabaseUri();
    await onDatabase({ env: server.env, uri }, (database) =>
      InputFile.use(file, (input) =>
        restoreBackup(database, readBackupFile(input), { isDropped: false, onRecords: noop }),
      ),
    );
    return startApp({ uri, env: { MEDIA_CACHE_DIR: await temporaryFolder() } });
  };
  const full = (): string => `/media/${picture._id}/${picture.name}`;
  const bytesOf = async (at: TestApp, address: string): Promise<Buffer> =>
    Buffer.from(await (await fetchPicture(at, address)).arrayBuffer());

  it('should serve a live picture from a restored database', async () => {
    const target = await restored();
    expect((await fetchPicture(target, full())).status).toBe(200);
    expect(await bytesOf(target, full())).toEqual(await bytesOf(server, full()));
    const small = await fetchPicture(target, `/media/${picture._id}/320.webp`);
    expect([small.status, small.headers.get('content-type')]).toEqual([200, 'image/webp']);
    const [before, after] = await Promise.all(
      [server, target].map(({ client }) => client.get<{ cover: object }>('/blog/slug/pictured')),
    );
    expect(after?.body.data.cover).toMatchObject({ alt: 'A cover', focus: { x: 0.5, y: 1 } });
    expect(after?.body.data).toEqual(before?.body.data);
  });

  it('should serve nothing as active content, whatever the database has for a picture', async () => {
    const target = await restored();
    await target.db
      .collection('pictures.chunks')
      .updateMany({}, { $set: { data: new mongo.Binary(Buffer.from(HTML)) } });
    await target.db
      .collection('pictures.files')
      .updateMany({}, { $set: { length: HTML.length, contentType: 'text/html' } });
    const answer = await fetchPicture(target, full());
    expect([answer.status, await answer.text()]).toEqual([200, HTML]);
    const headers = ['content-type', 'content-security-policy', 'x-content-type-options'];
    expect(headers.map((name) => answer.headers.get(name))).toEqual([
      'image/jpeg',
      "default-src 'none'; sandbox",
      'nosniff',
    ]);
    const small = await fetchPicture(target, `/media/${picture._id}/320.webp`);
    // A damaged picture is one that cannot be read at the moment.
    expect(small.status).toBe(503);
    expect(small.headers.get('content-type')).toMatch(/^application\/json/);
  });

  it.each([
    ['a format that is none', { format: 'html' }, 'a.html'],
    ['a name of another header', { name: 'a"; filename="b.html' }, '320.webp'],
    ['a name with a line break', { name: 'a\r\nset-cookie: b=c' }, '320.webp'],
  ])('should serve no picture with %s', async (_, fields, name) => {
    const target = await restored();
    await target.db.collection('media').updateMany({}, { $set: fields });
    const answer = await fetchPicture(target, `/media/${picture._id}/${name}`);
    expect(answer.status).toBeLessThan(500);
    expect(answer.headers.get('content-type')).not.toMatch(/html/);
    expect(answer.headers.get('content-disposition') ?? '').not.toContain('html');
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  it('should say after an import of records that the pictures are missing', async () => {
    const text = await exported(server);
    expect(text).not.toContain('"collection":"media');
    const target = await startApp();
    const reported = [
      expect.stringMatching(/^1 pictures that articles or profiles show are missing: an export/),
    ];
    const dry = await imported({ folder }, target, text, { isDryRun: true });
    expect(dry.unresolved).toEqual(reported);
    expect((await imported({ folder }, target, text)).unresolved).toEqual(reported);
  });
});

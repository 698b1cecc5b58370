import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { PictureFetcher } from '../../../src/transfer/import/pictures/picture-fetcher.service.js';
import { account, type Person } from '../../support/factories.js';
import { pictureFile } from '../../support/media/pictures.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { articleFile, importFolder, publicText, siteWith, storedMedia } from './fixture.js';

const HOST = 'pictures.example';

/** The addresses to which names resolve. The server of pictures is the only one that may be reached. */
const ADDRESSES: Readonly<Record<string, string>> = {
  [HOST]: '127.0.0.1',
  'inner.example': '169.254.169.254',
};

/** A key and a certificate for HOST, which this process trusts from now on. */
async function trustedCertificate(): Promise<{ key: string; cert: string }> {
  const { stdout } = await promisify(execFile)('openssl', [
    ...'req -x509 -newkey rsa:2048 -nodes -days 1 -keyout - -subj'.split(' '),
    `/CN=${HOST}`,
    '-addext',
    `subjectAltName=DNS:${HOST}`,
  ]);
  const [key = '', cert = ''] = stdout.split(/(?=-----BEGIN CERTIFICATE-----)/);
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), cert]);
  return { key, cert };
}

describe('importing pictures of the web', () => {
  let server: TestApp;
  let author: Pick<Person, 'email'>;
  let web: Server;
  let base: string;
  let fetcher: PictureFetcher;
  const asked: string[] = [];

  const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
    '/moved.jpg': (response) => redirect(response, '/a.jpg'),
    '/loop.jpg': (response) => redirect(response, '/loop.jpg'),
    '/to-http.jpg': (response) => redirect(response, 'http://pictures.example/a.jpg'),
    '/to-address.jpg': (response) => redirect(response, 'https://10.0.0.1/a.jpg'),
    '/to-mapped.jpg': (response) => redirect(response, 'https://[::ffff:7f00:1]/a.jpg'),
    '/to-localhost.jpg': (response) => redirect(response, 'https://localhost/a.jpg'),
    '/to-name.jpg': (response) => redirect(response, 'https://inner.example/a.jpg'),
    '/page.jpg': (response) => response.end('<!doctype html><script>alert(1)</script>'),
    '/endless.jpg': (response) => {
      response.write(Buffer.from('ffd8ffe0', 'hex'));
      const more = Buffer.alloc(1_048_576);
      const write = (): void => {
        while (response.write(more));
      };
      response.on('drain', write);
      write();
    },
    '/broken.jpg': (response) => {
      response.writeHead(200, { 'content-length': 1_000 });
      response.write(Buffer.from('ffd8ffe0', 'hex'), () => response.destroy());
    },
    '/never.jpg': () => undefined,
  };
  const redirect = (response: ServerResponse, location: string): void => {
    response.writeHead(302, { location }).end();
  };

  beforeAll(async () => {
    server = await startApp();
    author = await account(server, 'AUTHOR');
    const picture = await pictureFile('jpeg', 400, 300);
    web = createServer(await trustedCertificate(), ({ url = '' }, response) => {
      const isFirst = !asked.includes(url);
      asked.push(url);
      const answer = answers[url];
      if (answer) answer(response);
      else if (url === '/busy.jpg' && isFirst) response.writeHead(503).end();
      else if (/^\/(?:a|b|busy)\.jpg$/.test(url)) response.end(picture);
      else response.writeHead(404).end();
    });
    await once(web.listen(0, '127.0.0.1'), 'listening');
    base = `https://${HOST}:${(web.address() as AddressInfo).port}`;
    fetcher = server.app.get(PictureFetcher);
    jest.spyOn(fetcher, 'resolve').mockImplementation((name, done) => {
      const address = ADDRESSES[name] ?? '';
      done(null, [{ address, family: 4 }]);
    });
  });

  afterAll(() => {
    jest.restoreAllMocks();
    web.closeAllConnections();
    web.close();
  });

  it('should fetch nothing from an inner address', async () => {
    const folder = await siteWith({ 'inner.md': articleFile('Inner', `Text ![](${base}/a.jpg)`) });
    const report = await importFolder(server, folder, { author: author.email, fetch: true });
    expect(report.changed).toEqual([
      {
        source: 'inner.md',
        reason: `picture "${base}/a.jpg" is not taken: its host has a private address`,
      },
    ]);
    expect(asked).toEqual([]);
    expect(await publicText(server, 'inner')).toContain(`src="${base}/a.jpg"`);
  });

  describe('that may be reached', () => {
    beforeAll(() => {
      const { isAllowed } = { isAllowed: (address: string) => address === '127.0.0.1' };
      Object.assign(fetcher, { isAllowed });
    });

    it('should fetch pictures by https, follow redirects, and ask a busy server again', async () => {
      const folder = await siteWith({
        'web.md': articleFile(
          'Web',
          `![A](${base}/moved.jpg "t") ![B](${base.replace('https:', 'http:')}/b.jpg) ![](busy.jpg)`,
        ),
      });
      const options = { author: author.email, fetch: true, baseUrl: `${base}/` };
      const report = await importFolder(server, folder, options);
      expect(report.changed).toEqual([]);
      expect(report.counts).toMatchObject({ 'pictures stored': 3 });
      expect(asked.filter((url) => url === '/busy.jpg')).toHaveLength(2);
      expect((await storedMedia(server)).map(({ name }) => name)).toEqual(['b', 'busy', 'moved']);
      expect(await publicText(server, 'web')).not.toContain(HOST);
    });

    it('should leave on the web what it refuses or cannot get, and say why', async () => {
      const reasons: Readonly<Record<string, string>> = {
        'loop.jpg': 'its server redirects more than 5 times',
        'to-http.jpg': 'only https is fetched',
        'to-address.jpg': 'its host has a private address',
        'to-mapped.jpg': 'its host has a private address',
        'to-localhost.jpg': 'its host has a private address',
        'to-name.jpg': 'its host has a private address',
        'page.jpg': 'the file is no picture that is taken: send JPEG, PNG, WebP, AVIF or GIF',
        'endless.jpg': 'it has more than 20 MB (MEDIA_MAX_MB)',
        'broken.jpg': 'it cannot be read (aborted)',
        'gone.jpg': 'its server answers with the status 404',
      };
      const pictures = Object.keys(reasons).map((name) => `![](${base}/${name})`);
      const folder = await siteWith({ 'refused.md': articleFile('Refused', pictures.join(' ')) });
      const report = await importFolder(server, folder, { author: author.email, fetch: true });
      expect(report.changed.map(({ reason }) => reason)).toEqual(
        Object.entries(reasons).map(
          ([name, reason]) => `picture "${base}/${name}" is not taken: ${reason}`,
        ),
      );
      const shown = await publicText(server, 'refused');
      for (const name of Object.keys(reasons)) expect(shown).toContain(`src="${base}/${name}"`);
    });

    it('should give up on a server that does not answer', async () => {
      const fetched = fetcher.fetch(new URL(`${base}/never.jpg`), 200);
      await expect(fetched).rejects.toThrow('its server takes too long');
    });
  });
});

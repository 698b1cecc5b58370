import { mkdir, readdir, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { PictureFolder } from '../../../../src/blog/media/storage/picture-folder.service.js';
import { person, type Person } from '../../../support/factories.js';
import { fetchPicture, uploaded } from '../../../support/media/pictures.js';
import { temporaryFolder } from '../../../support/process.js';
import { startApp, type TestApp } from '../../../support/start-app.js';
import { HOUR } from '../../../support/time/clock.js';
import { until } from '../../../support/time/wait.js';

const MIB = 1_048_576;

describe('The folder of pictures', () => {
  let server: TestApp;
  let author: Person;
  let folder: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    server = await startApp({ env: { MEDIA_CACHE_DIR: folder, MEDIA_CACHE_MB: '64' } });
    author = await person(server, 'AUTHOR');
    await uploaded(author.client);
    await until('the first check', async () => (await sizes()).length === 1);
  });

  /** What is in the folder, of which the server may be removing something. */
  async function sizes(): Promise<{ name: string; size: number }[]> {
    const names = await readdir(join(folder, 'pictures'));
    const found = await Promise.all(
      names.map(async (name) => {
        const stats = await stat(join(folder, 'pictures', name)).catch(() => null);
        return stats ? [{ name, size: stats.size }] : [];
      }),
    );
    return found.flat();
  }

  /** Puts a picture of 10 MiB into the folder, which was asked for so many hours ago. */
  async function put(hours: number): Promise<string> {
    const name = `${new Types.ObjectId().toHexString()}-full.jpg`;
    const path = join(folder, 'pictures', name);
    await writeFile(path, '');
    await truncate(path, 10 * MIB);
    await utimes(path, new Date(Date.now() - hours * HOUR), new Date());
    return name;
  }

  it('should keep its size by itself, and what was asked for last', async () => {
    const names = await Promise.all([9, 1, 8, 2, 7, 3, 6, 4].map(put));
    const media = await uploaded(author.client);
    // Each process looks when it has added a twentieth.
    server.app.get(PictureFolder)['grown'] = Infinity;
    await uploaded(author.client);
    await until('the folder to be small again', async () => {
      const bytes = (await sizes()).reduce((sum, { size }) => sum + size, 0);
      return bytes <= 0.9 * 64 * MIB;
    });
    const left = new Set((await sizes()).map(({ name }) => name));
    expect(names.map((name) => left.has(name))).toEqual([
      false,
      true,
      false,
      true,
      false,
      true,
      true,
      true,
    ]);
    expect((await fetchPicture(server, media.url)).status).toBe(200);
  });

  it('should lose what processes that have died have left behind', async () => {
    const uploads = join(folder, 'uploads');
    await mkdir(uploads, { recursive: true });
    const old = new Date(Date.now() - 3 * HOUR);
    const paths = [
      join(folder, 'pictures', '.half'),
      join(uploads, 'half'),
      join(uploads, 'arriving'),
    ];
    for (const [index, path] of paths.entries()) {
      await writeFile(path, 'half');
      if (index < 2) await utimes(path, old, old);
    }
    await server.app.get(PictureFolder).prune();
    expect(await readdir(uploads)).toEqual(['arriving']);
    expect((await sizes()).map(({ name }) => name)).not.toContain('.half');
  });
});

import { performance } from 'node:perf_hooks';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { PictureProcess } from '../../../../src/blog/media/processing/picture-process.service.js';
import { person, type Person } from '../../../support/factories.js';
import { makeBases, type Bases } from '../../../support/hostile/bases.js';
import { CLAIMS } from '../../../support/hostile/headers.js';
import { hostileFiles, type HostileFile } from '../../../support/hostile/hostile-files.js';
import { MARKS } from '../../../support/hostile/polyglots.js';
import { fetchPicture, pictureFile, upload, uploaded } from '../../../support/media/pictures.js';
import { runs, RUNS_DEADLINE_MS } from '../../../support/scale.js';
import { startApp, type TestApp } from '../../../support/start-app.js';

/** Another one makes other files. */
const SEED = 20_261;

/** Number of files that are sent at a time, of the eight that an account may. */
const AT_ONCE = 4;

const PICTURE_TYPE = /^image\/(jpeg|png|webp|gif)$/;

describe('A hostile file', () => {
  let server: TestApp;
  let author: Person;
  let bases: Bases;

  beforeAll(async () => {
    server = await startApp();
    author = await person(server, 'AUTHOR');
    bases = await makeBases();
  });

  /** What is wrong with the answer to a file; null if nothing is. */
  async function problemOf({ bytes, name }: HostileFile): Promise<string | null> {
    const { status, body } = await upload(author.client, bytes, {}, { name });
    if (status === 415 || status === 422) {
      return /^the (file is no picture|picture cannot be used)/.test(body.message)
        ? null
        : body.message;
    }
    if (status !== 200) return `${status} ${body.message}`;
    const answer = await fetchPicture(server, body.data.url);
    const type = answer.headers.get('content-type') ?? '';
    if (answer.status !== 200 || !PICTURE_TYPE.test(type))
      return `served: ${answer.status} ${type}`;
    if (answer.headers.get('x-content-type-options') !== 'nosniff') return 'served without nosniff';
    const served = Buffer.from(await answer.arrayBuffer()).toString('latin1');
    const found = MARKS.filter((mark) => served.includes(mark));
    return found.length === 0 ? null : `served with ${found.join(' and ')}`;
  }

  it(
    'should be refused in clear words, or become a harmless picture',
    async () => {
      const files = hostileFiles(bases, runs({ short: 60, long: 1_000 }), SEED);
      const problems: string[] = [];
      let index = 0;
      const send = async (): Promise<void> => {
        for (const file of files) {
          const label = `${(index += 1)} ${file.what} (${file.name.slice(0, 20)})`;
          const problem = await problemOf(file);
          if (problem !== null) problems.push(`${label}: ${problem}`);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, send));
      expect(problems).toEqual([]);
      // The next honest picture is taken.
      const media = await uploaded(author.client);
      expect((await fetchPicture(server, media.url)).status).toBe(200);
    },
    RUNS_DEADLINE_MS,
  );

  it('should be told by its bytes and not by its name', async () => {
    const jpeg = await pictureFile('jpeg', 40, 30);
    const taken = await upload(author.client, jpeg, {}, { name: 'x.svg' });
    expect([taken.status, taken.body.data.url]).toEqual([200, expect.stringMatching(/\/x\.jpg\?/)]);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    const refused = await upload(author.client, svg, {}, { name: 'x.jpg' });
    expect([refused.status, refused.body.message]).toEqual([
      415,
      'the file is no picture that is taken: send JPEG, PNG, WebP, AVIF or GIF',
    ]);
  });

  it('should cost little when it claims to be large', async () => {
    const count = runs({ short: 100, long: 500 });
    const tiny = Buffer.from('no picture');
    const sendAll = async (fileOf: (index: number) => Buffer): Promise<number> => {
      const startedAt = performance.now();
      const statuses = new Set<number>();
      const left = Array.from({ length: count }, (_, index) => fileOf(index));
      const send = async (): Promise<void> => {
        for (let file = left.pop(); file; file = left.pop()) {
          statuses.add((await upload(author.client, file)).status);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, send));
      expect([...statuses]).toEqual([fileOf(0) === tiny ? 415 : 422]);
      return performance.now() - startedAt;
    };
    // A GIF is as large as its frames, whatever its screen claims.
    const formats = ['jpeg', 'png', 'webp', 'avif'] as const;
    const claim = (index: number): Buffer => {
      const format = formats[index % formats.length] ?? 'jpeg';
      return CLAIMS[format](bases.still[format], 10_000, 10_000);
    };
    await uploaded(author.client);
    await sendAll(() => tiny);
    const tinyMs = await sendAll(() => tiny);
    const { refused } = server.app.get(PictureProcess).counts;
    const largeMs = await sendAll(claim);
    // Its head has told it: the picture process was not asked.
    expect(server.app.get(PictureProcess).counts.refused).toBe(refused);
    const extra = Math.round(largeMs - tinyMs);
    process.stdout.write(
      `${count} files that claim 100 megapixels: ${extra} ms beyond tiny ones\n`,
    );
  });
});

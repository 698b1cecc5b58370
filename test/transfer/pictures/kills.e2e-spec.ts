import { beforeAll, describe, expect, it } from '@jest/globals';
import { account, type Person } from '../../support/factories.js';
import { runNode, startNode, temporaryFolder } from '../../support/process.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { until } from '../../support/time/wait.js';
import { tinyPng } from '../../support/media/tiny-png.js';
import { articleFile, siteWith } from './fixture.js';

const ARTICLES = 20;
const PICTURES = 5;

describe('pressroom import --media', () => {
  let server: TestApp;
  let author: Pick<Person, 'email'>;
  let folder: string;
  let cwd: string;

  beforeAll(async () => {
    server = await startApp();
    author = await account(server, 'AUTHOR');
    cwd = await temporaryFolder();
    const files: Record<string, string | Uint8Array> = {};
    for (let article = 0; article < ARTICLES; article += 1) {
      const names = Array.from({ length: PICTURES }, (_, number) => `p-${article}-${number}.png`);
      for (const [at, name] of names.entries()) files[name] = tinyPng(200 + article, 100 + at);
      const pictures = names.map((name) => `![${name}](${name})`).join(' ');
      files[`article-${article}.md`] = articleFile(`Article ${article}`, pictures);
    }
    folder = await siteWith(files);
  });

  it('should take the remaining pictures after it was killed, and none twice', async () => {
    const args = `bin/pressroom.mjs --json import markdown ${folder} --author ${author.email} --media`;
    const options = { cwd, env: { MONGODB_URI: server.uri, NODE_ENV: 'test' } };
    const media = server.db.collection('media');
    const killed = startNode(args.split(' '), options);
    await until(
      'some pictures to be stored',
      async () => (await media.countDocuments()) > 5,
      60_000,
    );
    killed.child.kill('SIGKILL');
    await killed.ended;
    const stored = await media.countDocuments();
    expect(stored).toBeLessThan(ARTICLES * PICTURES);
    const { code, stdout } = await runNode(args.split(' '), options);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      {
        published: ARTICLES,
        changed: [],
        counts: {
          'pictures that an earlier run has stored': stored,
          'pictures stored': ARTICLES * PICTURES - stored,
        },
      },
    ]);
    expect(await media.countDocuments()).toBe(ARTICLES * PICTURES);
    expect(await media.distinct('name')).toHaveLength(ARTICLES * PICTURES);
    expect(await server.db.collection('blogs').distinct('live.pictures')).toHaveLength(
      ARTICLES * PICTURES,
    );
    // What the kill has cut off is left to MediaJob, which looks at files without a record.
    const files = await server.db.collection('media_files').find().toArray();
    expect(files.every(({ checkAt }) => checkAt instanceof Date)).toBe(true);
  }, 120_000);
});

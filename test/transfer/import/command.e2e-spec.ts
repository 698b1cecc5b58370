import { beforeAll, describe, expect, it } from '@jest/globals';
import { account, type Person } from '../../support/factories.js';
import { folderWith, runNode, startNode, temporaryFolder } from '../../support/process.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { until } from '../../support/time/wait.js';

const ARTICLE_COUNT = 300;

describe('pressroom import', () => {
  let server: TestApp;
  let author: Pick<Person, 'email'>;
  let folder: string;
  let cwd: string;

  beforeAll(async () => {
    server = await startApp();
    author = await account(server, 'AUTHOR');
    cwd = await temporaryFolder();
    const texts = Array.from({ length: ARTICLE_COUNT }, (_, number) => [
      `post-${number}.md`,
      `---\ntitle: Post ${number}\ndate: 2024-01-01\ntags: [all]\n---\n${`Words of ${number}. `.repeat(50)}`,
    ]);
    folder = await folderWith(Object.fromEntries(texts));
  });

  const argsOf = (...args: readonly string[]): string[] => [
    'bin/pressroom.mjs',
    '--json',
    'import',
    'markdown',
    folder,
    '--author',
    author.email,
    ...args,
  ];
  const options = () => ({ cwd, env: { MONGODB_URI: server.uri, NODE_ENV: 'test' } });
  const count = () => server.db.collection('blogs').countDocuments();

  it('should write nothing in a dry run, and report what an import would do', async () => {
    const { code, stdout } = await runNode(argsOf('--dry-run'), options());
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { dryRun: true, published: ARTICLE_COUNT, alreadyThere: 0, skipped: [], changed: [] },
    ]);
    expect(await count()).toBe(0);
  });

  it('should make all articles drafts if it is asked to', async () => {
    const { stdout } = await runNode(argsOf('--draft', '--dry-run'), options());
    expect(JSON.parse(stdout)).toMatchObject({
      published: 0,
      live: [],
      drafts: ARTICLE_COUNT,
      draftReasons: { '--draft': ARTICLE_COUNT },
    });
  });

  it('should add the remaining articles after it was killed, and none twice', async () => {
    const killed = startNode(argsOf(), options());
    await until('some articles to be stored', async () => (await count()) > 0, 60_000);
    killed.child.kill('SIGKILL');
    await killed.ended;
    const stored = await count();
    const { code, stdout } = await runNode(argsOf(), options());
    const report = JSON.parse(stdout);
    expect([code, report.published + report.alreadyThere, report.changed]).toEqual([
      0,
      ARTICLE_COUNT,
      [],
    ]);
    expect(report.alreadyThere).toBeGreaterThanOrEqual(stored);
    expect(await server.db.collection('blogs').distinct('slug')).toHaveLength(ARTICLE_COUNT);
    expect(await count()).toBe(ARTICLE_COUNT);
    const { body } = await server.client.get('/tags');
    expect(body.data).toMatchObject([{ tag: 'all', count: ARTICLE_COUNT }]);
  }, 90_000);

  it('should give an article another slug if its own is taken, and report this', async () => {
    const other = await folderWith({
      'other/post-1.md': '---\ntitle: Another\ndate: 2024-01-02\n---\nText.',
    });
    const args = ['bin/pressroom.mjs', 'import', 'markdown', other, '--author', author.email];
    const { code, stdout } = await runNode(args, options());
    expect(code).toBe(2);
    expect(stdout).toContain('1 live, published from 2024-01-02 to 2024-01-02:');
    expect(stdout).toContain(
      'other/post-1.md: slug "post-1" is that of another article: now "post-1-2"',
    );
    const { body } = await server.client.get('/blog/slug/post-1');
    expect(body.data.title).toBe('Post 1');
  });

  it('should refuse an invalid base URL', async () => {
    const args = ['bin/pressroom.mjs', 'import', 'ghost', 'a.json', '--base-url', 'example.org'];
    const { code, stderr } = await runNode(args, options());
    expect([code, stderr]).toEqual([64, expect.stringContaining('http or https URL')]);
  });

  it('should refuse an author who does not exist', async () => {
    const args = ['bin/pressroom.mjs', 'import', 'markdown', folder, '--author', 'no@example.org'];
    const { code, stderr } = await runNode(args, options());
    expect([code, stderr]).toEqual([
      1,
      'There is no account with the address no@example.org: make one.\n',
    ]);
  });
});

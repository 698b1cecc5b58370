import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ImportReport } from '../../../src/transfer/import/import-report.js';
import { openMarkdown } from '../../../src/transfer/import/markdown/markdown-source.js';
import { account } from '../../support/factories.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { folderWith } from '../../support/process.js';
import { importInto } from './fixture.js';

/** Each row: a file, its text, and why it is not imported. */
const REFUSED: readonly (readonly [string, string | Buffer, string])[] = [
  ['cyclic.md', '---\ntags: &a [*a]\n---\nText.', 'contains itself'],
  ['authors.md', '---\nauthor: &a {name: *a}\n---\nText.', 'contains itself'],
  ['quotes.md', `${'> '.repeat(5_000)}Text.`, 'nested deeper than 100 levels'],
  ['lists.md', `${'- '.repeat(5_000)}Text.`, 'nested deeper than 100 levels'],
  ['long.md', 'word '.repeat(900_000), 'more than 1048576 characters'],
  ['large.md', 'word '.repeat(1_100_000), 'more than 5000000 bytes'],
  ['zeros.md', Buffer.alloc(1_000), 'NUL'],
  ['latin1.md', Buffer.from('Größe', 'latin1'), 'not in UTF-8'],
  ['deep.md', `${'<b>'.repeat(60_000)}Text.`, 'characters'],
  ['linked.md', `${'<b>'.repeat(60_000)}<a href="b">Text.`, 'characters'],
];

/** Files that look dangerous, and are imported. */
const IMPORTED: Readonly<Record<string, string | Buffer>> = {
  'dashes.md': `${'---a\n'.repeat(10_000)}Text.`,
  'brackets.md': `${'['.repeat(30_000)} Text.`,
  'stars.md': `${'*a '.repeat(10_000)} Text.`,
  'braces.md': `${'{{< a '.repeat(5_000)} Text.`,
  'raws.md': `${'{% raw %}'.repeat(5_000)} Text.`,
  'mails.md': `---\nauthor: ${'a@'.repeat(4_000)}\n---\nText.`,
  'wide.md': Buffer.from('\uFEFFText in UTF-16.', 'utf16le'),
  'a folder.md/ordinary.md': '---\ntitle: The last one\n---\nText.',
};

describe('importing a folder with hostile files', () => {
  let server: TestApp;
  let report: ImportReport;

  beforeAll(async () => {
    server = await startApp();
    const { email } = await account(server, 'AUTHOR');
    const folder = await folderWith({});
    await mkdir(join(folder, 'a folder.md'));
    const files = [...REFUSED, ...Object.entries(IMPORTED)];
    for (const [name, text] of files) await writeFile(join(folder, name), text);
    await symlink('.', join(folder, 'loop'));
    await symlink('cyclic.md', join(folder, 'link.md'));
    await promisify(execFile)('mkfifo', [join(folder, 'pipe.md')]);
    report = await importInto(server, await openMarkdown(folder, 'https://old.example/'), {
      author: email,
    });
  }, 120_000);

  it('should import every other file', () => {
    expect(report).toMatchObject({ published: 0, drafts: Object.keys(IMPORTED).length });
  });

  it('should say of each of them why it was left out', () => {
    const others = [
      ['link.md', null, 'a symbolic link'],
      ['loop', null, 'a symbolic link'],
      ['pipe.md', null, 'no regular file'],
    ] as const;
    const lines = report.skipped.toSorted((one, other) => (one.source < other.source ? -1 : 1));
    expect(lines).toEqual(
      [...REFUSED, ...others]
        .map(([source, , reason]) => ({ source, reason: expect.stringContaining(reason) }))
        .toSorted((one, other) => (one.source < other.source ? -1 : 1)),
    );
  });
});

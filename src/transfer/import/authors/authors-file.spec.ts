import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { cpuTime } from '../../../../test/support/time/cpu-time.js';
import { folderWith } from '../../../../test/support/process.js';
import { OperatorError } from '../../../platform/config/operator.error.js';
import type { SourceAuthor } from '../articles/imported-article.js';
import { findAuthors, readAuthorsFile } from './authors-file.js';
import { namesIn, placeholderAddress } from './placeholder.js';

const authorOf = (given: Partial<SourceAuthor>): SourceAuthor => ({
  key: null,
  name: null,
  email: null,
  ...given,
});
const ADA = { name: 'Ada King', email: 'ada@example.org' };

const fileOf = async (text: string) =>
  readAuthorsFile(join(await folderWith({ 'authors.yml': text }), 'authors.yml'));

describe('a file of authors', () => {
  it.each([
    ['a map', 'ada: {name: Ada King, email: ada@example.org}'],
    ['JSON', '{"ada": {"name": "Ada King", "email": "ada@example.org"}}'],
    ['a map to addresses', 'ada: Ada King <ada@example.org>'],
    ['a list', '- {id: ada, name: Ada King, email: ada@example.org}'],
    ['a list within a field', 'authors:\n- {username: ada, name: Ada King, mail: ada@example.org}'],
    [
      'Docusaurus',
      'ada:\n  name: Ada King\n  title: Countess\n  url: https://a.example\n  image_url: https://a.example/a.png\n  email: ada@example.org',
    ],
    ['first and last names', 'ada: {first_name: Ada, last_name: King, email: ada@example.org}'],
  ])('should be read: %s', async (_, text) => {
    const file = await fileOf(text);
    for (const given of [
      { key: 'ada' },
      { key: '@Ada' },
      { name: ' ADA  king' },
      { email: 'Ada@example.org' },
    ]) {
      expect(file.find(authorOf(given))).toMatchObject(ADA);
    }
    expect(file.find(authorOf({ key: 'bob', name: 'Bob' }))).toBeNull();
  });

  it.each([
    ['', 'names no authors'],
    ['a text', 'names no authors'],
    ['ada: 5', '"ada" needs an address'],
    ['ada: {email: ada at home}', '"ada at home" of "ada" is no email address'],
    ['ada: [', 'cannot be read'],
  ])('should be refused: %j', async (text, message) => {
    const read = fileOf(text);
    await expect(read).rejects.toThrow(OperatorError);
    await expect(read).rejects.toThrow(message);
  });

  it.each([
    ['authors.yml', 'ada: {name: Ada King, email: ada@example.org}'],
    ['../_data/authors.yaml', 'ada: {name: Ada King, email: ada@example.org}'],
    ['../../data/authors.json', '{"ada": {"name": "Ada King", "email": "ada@example.org"}}'],
    ['../authors/ada.json', '{"name": "Ada King", "email": "ada@example.org"}'],
    [
      '../_authors/1.md',
      '---\nshort_name: x\nslug: ada\nname: Ada King\nemail: ada@example.org\n---\n',
    ],
  ])('should be found beside the articles: %s', async (path, text) => {
    const folder = join(await folderWith({ [join('site/content/blog', path)]: text }), 'site');
    const articles = join(folder, 'content/blog');
    await mkdir(articles, { recursive: true });
    expect((await findAuthors(articles))?.find(authorOf({ key: 'ada' }))).toMatchObject(ADA);
  });

  it('should not be found in a folder of articles without one', async () => {
    expect(await findAuthors(await folderWith({ 'a.md': 'Text' }))).toBeNull();
  });
});

describe('an author who has only a name', () => {
  it.each([
    ['Ada King', 'ada-king-c62fed5f31@authors.invalid'],
    ['ADA  King ', 'ada-king-c62fed5f31@authors.invalid'],
    ['Zoë', expect.stringMatching(/^zoe-[0-9a-f]{10}@authors\.invalid$/)],
    ['春', expect.stringMatching(/^author-[0-9a-f]{10}@authors\.invalid$/)],
    ['x'.repeat(300), expect.stringMatching(/^x{40}-[0-9a-f]{10}@authors\.invalid$/)],
  ])('should get the same address for %j in each import', (name, address) => {
    expect(placeholderAddress(name, 1)).toEqual(address);
  });

  it.each([
    ['Ada', ['Ada']],
    ['Ada King and Bob', ['Ada King', 'Bob']],
    ['Ada & Bob; Eve', ['Ada', 'Bob', 'Eve']],
    ['Ada King, Bob Stone', ['Ada King', 'Bob Stone']],
    ['King, Ada', ['King, Ada']],
    ['Anders Andersson', ['Anders Andersson']],
    [' ', []],
  ])('should be found among the names in %j', (text, names) => {
    expect(namesIn(text)).toEqual(names);
  });

  it('should be found by a comma if all of them are known', () => {
    const isKnown = (name: string) => ['ada', 'bob'].includes(name);
    expect(namesIn('ada, bob', isKnown)).toEqual(['ada', 'bob']);
    expect(namesIn('ada, eve', isKnown)).toEqual(['ada, eve']);
  });

  it('should be found in linear time', () => {
    const long = `Ada${' '.repeat(100_000)}King, Bob Stone`;
    expect(cpuTime(() => namesIn(long), 1)).toBeLessThan(2_000);
  });
});

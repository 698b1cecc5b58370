import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { filesBelow, ROOT } from './files.js';

/** What may stand between two words: whitespace, and the comment characters of the next line. */
const GAP = '[\\s*/#]+';

/**
 * Names of documents that are not in the repository, so that nobody can look them up. A comment has
 * to state the rule itself, or to name a page of `docs`.
 */
const DOCUMENT = '\\b(?:[Cc]ontract|[Dd]esign|[Ii]nterface)';
const CITATION = new RegExp(
  [
    `${DOCUMENT},?${GAP}\\(?sections?${GAP}\\d`,
    `\\b[Bb]ars?${GAP}\\d`,
    `\\bvariant${GAP}[A-Z]\\b`,
    `\\b[Ii]ssue${GAP}\\d`,
    '\\bshared/[\\w-]+\\.md\\b',
  ].join('|'),
  'g',
);

/** @returns each citation with the line on which it begins */
function citationsIn(text: string): string[] {
  return [...text.matchAll(CITATION)].map(
    (match) => `${text.slice(0, match.index).split('\n').length}: ${match[0]}`,
  );
}

const CHECKED_FILES = /\.(?:[cm]?[jt]s|py|md|ya?ml|toml)$|\.env\.example$|^\.ci\/|Dockerfile$/;

describe('citations', () => {
  // With the `|`, these texts are no citations, so the last test does not find them here. This test removes the `|`.
  it.each([
    'contract|, section 6',
    'design|,\n * section 1',
    'interface| (section 3)',
    'bar| 13',
    'variant| M',
    'issue| 3 of 6',
    'shared|/style.md',
  ])('should be found: %s', (text) => {
    expect(citationsIn(`/** Text.\n * (${text.replace('|', '')}) */`)).toHaveLength(1);
  });

  it.each(['RFC 9110, section 13.1.1', 'docs/adr/0007', 'a variant a reader may ask for'])(
    'should not be found in %s',
    (text) => {
      expect(citationsIn(text)).toEqual([]);
    },
  );

  it('should name only documents that are in the repository', () => {
    const atRoot = readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = [
      ...filesBelow('src', 'test', 'scripts', 'bench', 'docs', '.ci'),
      ...atRoot.map(({ name }) => name),
    ].filter((path) => CHECKED_FILES.test(path));
    expect(paths.length).toBeGreaterThan(300);
    const found = paths.flatMap((path) =>
      citationsIn(readFileSync(join(ROOT, path), 'utf8')).map((at) => `${path}:${at}`),
    );
    expect(found).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { SEARCH_LANGUAGES } from '../../../../platform/config/values/search-language.js';
import { articleWords, STEMS_MAX, type ArticleTask } from './article-words.worker.js';

const NOTHING: ArticleTask = { title: '', tags: [], description: '', text: '', language: 'en' };

describe('articleWords', () => {
  it('should keep each stem once, with its most important place', async () => {
    const { words } = await articleWords({
      ...NOTHING,
      title: 'Published',
      tags: ['publishing', 'sea side'],
      description: 'Sea, publications',
      text: '<p>pub<b>lish</b>es</p><p>at</p>',
    });
    expect(words).toEqual(['0publish', '1sea', '1side', '2public', '3at']);
  });

  it('should return the spellings of four characters or more', async () => {
    const { spellings } = await articleWords({ ...NOTHING, title: 'Publishing the sea v24.1.0' });
    expect(spellings).toEqual([
      ['publishing', 'publish'],
      ['24.1.0', '24.1.0'],
      ['24.1', '24.1'],
    ]);
  });

  it('should keep another form of a word once, with its place, if no word has its stem', async () => {
    const { words, spellings } = await articleWords({
      ...NOTHING,
      title: 'E-mails, C++',
      description: 'Wi-Fi and e-mail',
      text: '<p>Wifi, C# and Node’s</p>',
    });
    expect(words.filter((word) => !/^.(and|e|mail|wi|fi)$/.test(word))).toEqual([
      '0c++',
      '3wifi',
      '3c#',
      '3node',
      '4email',
      '4c',
    ]);
    expect(spellings).toEqual(
      expect.arrayContaining([
        ['wifi', 'wifi'],
        ['emails~', 'email'],
        ['email~', 'email'],
      ]),
    );
    expect(spellings).not.toContainEqual(['wifi~', 'wifi']);
  });

  it.each([
    ['none', ['0publishing']],
    ['en', ['0publish']],
    ['de', ['0publishing']],
  ] as const)('should use the stemmer of SEARCH_LANGUAGE %s', async (language, words) => {
    expect((await articleWords({ ...NOTHING, title: 'Publishing', language })).words).toEqual(
      words,
    );
  });

  it('should return at most 2,000 stems, those of the most important places first', async () => {
    const text = Array.from({ length: 3_000 }, (_, number) => `w${number}x`).join(' ');
    const { words, spellings } = await articleWords({ ...NOTHING, title: 'Title', text });
    expect(words).toHaveLength(STEMS_MAX);
    expect(words[0]).toBe('0titl');
    expect(spellings.length).toBeLessThanOrEqual(STEMS_MAX);
  });

  it.each(SEARCH_LANGUAGES)(
    'should have a stemmer for %s that leaves something of every word',
    async (language) => {
      const title = 'a es ing constructor __proto__ слово ñandú λόγος शब्द כתב 文章 v8';
      const { words } = await articleWords({ ...NOTHING, title, language });
      expect(words.every((word) => word.length > 1)).toBe(true);
      expect(words.length).toBeGreaterThan(8);
    },
  );

  it('should take bounded time for the longest texts', async () => {
    const started = performance.now();
    for (const unit of ['a ', '<p>x</p>', '漢字', 'ing ', "l'", '1.2.']) {
      await articleWords({ ...NOTHING, text: unit.repeat(100_000).slice(0, 100_000) });
    }
    expect(performance.now() - started).toBeLessThan(6 * 1_000);
  });
});

import { describe, expect, it } from '@jest/globals';
import { emptyReport } from '../../../transfer/import/import-report.js';
import { grouped, reportLines } from './report-lines.js';

describe('the report of an import', () => {
  it('should begin with what readers see', () => {
    const live = ['2021-05-06', '2019-01-02'].map((day) => ({
      source: `${day}.md`,
      publishedAt: new Date(day),
    }));
    const draftReasons = { 'expired at 2020-01-01T00:00:00.000Z': 1, 'it is private': 2 };
    const report = { ...emptyReport(false), published: 2, live, drafts: 3, draftReasons };
    expect(reportLines(report)).toEqual([
      'Imported:',
      '  2 live, published from 2019-01-02 to 2021-05-06:',
      '    2021-05-06.md, 2019-01-02.md',
      '  3 as drafts:',
      '    1 × expired at …',
      '    2 × it is private',
    ]);
  });

  it('should say that nothing went live', () => {
    expect(reportLines(emptyReport(true))[1]).toBe('  no article is live');
  });

  it('should show a number and three examples of each reason, the most frequent first', () => {
    const lines = (count: number, reasonOf: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => ({ source: `${at}.md`, reason: reasonOf(at) }));
    expect(
      grouped([
        ...lines(1, () => 'it has no text'),
        ...lines(4, () => 'it is private'),
        ...lines(5, (at) => `slug "${at}" is that of another article: now "${at}-2"`),
        ...lines(3, (at) => `text: ${at + 1} link URL${at > 0 ? 's' : ''} removed`),
        ...lines(2, (at) => `tags above 20 left out: "a"${', "b"'.repeat(at)}`),
      ]),
    ).toEqual([
      '5 × slug "…" is that of another article: now "…"',
      '  0.md: slug "0" is that of another article: now "0-2"',
      '  1.md: slug "1" is that of another article: now "1-2"',
      '  2.md: slug "2" is that of another article: now "2-2"',
      '  and 2 more (--json lists all)',
      '4 × it is private',
      '  0.md, 1.md, 2.md and 1 more (--json lists all)',
      '3 × text: … link URL removed',
      '  0.md: text: 1 link URL removed',
      '  1.md: text: 2 link URLs removed',
      '  2.md: text: 3 link URLs removed',
      '2 × tags above … left out: "…"',
      '  0.md: tags above 20 left out: "a"',
      '  1.md: tags above 20 left out: "a", "b"',
      '0.md: it has no text',
    ]);
  });
});

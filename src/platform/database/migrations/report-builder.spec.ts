import { describe, expect, it } from '@jest/globals';
import { NAMED_RECORDS_MAX, ReportBuilder } from './report-builder.js';

describe('ReportBuilder', () => {
  it('should list a bounded number of records per kind, and count the rest', () => {
    const report = new ReportBuilder('blog');
    for (let number = 0; number < NAMED_RECORDS_MAX + 5; number++) {
      report.addUnresolved({ kind: 'no title', line: `blog ${number}` });
    }
    report.addUnresolved({ kind: 'no author', line: 'blog x' });
    const { unresolved } = report.build();
    expect(unresolved).toHaveLength(NAMED_RECORDS_MAX + 2);
    expect(unresolved).toContain('no title: 5 more blogs');
  });

  it('should forget the unresolved lines that were added before clearUnresolved', () => {
    const report = new ReportBuilder('user');
    report.addUnresolved({ kind: 'k', line: 'once' });
    report.clearUnresolved();
    report.addUnresolved({ kind: 'k', line: 'again' });
    expect(report.build().unresolved).toEqual(['again']);
  });
});

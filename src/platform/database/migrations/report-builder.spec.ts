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
});

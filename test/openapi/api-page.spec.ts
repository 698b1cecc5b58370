import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { REASONS } from '../../src/platform/http/errors/reasons.js';

const PAGE = readFileSync('docs/api.md', 'utf8');

describe('docs/api.md', () => {
  it('should have the table of reasons', () => {
    const rows = [...PAGE.matchAll(/^\| `([a-z_]+)` +\| (\d{3}) +\| (.+?) +\|$/gm)];
    const listed = rows.map(([, reason, status, meaning]) => [reason, Number(status), meaning]);
    // When it fails: put the expected rows on the page.
    expect(listed).toEqual(
      Object.entries(REASONS).map(([reason, { status, meaning }]) => [reason, status, meaning]),
    );
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const read = (path: string): string => readFileSync(path, 'utf8');

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** What stands between `node` and what it runs. */
function flagsIn(command = ''): string[] {
  const words = command.split(/[\s",[\]]+/);
  return words.filter((word) => word.startsWith('--'));
}

describe('what Node is told', () => {
  const flags = flagsIn(scripts['start:prod']);

  it('should be the same however the server is started', () => {
    const inImage = /^CMD .*$/m.exec(read('Dockerfile'))?.[0];
    expect(flags).toHaveLength(4);
    expect(flagsIn(scripts['start'])).toEqual(flags);
    expect(flagsIn(inImage)).toEqual(flags);
  });

  it('should be explained', () => {
    const rows = read('docs/performance.md').match(/^\| `--[^`]+`/gm) ?? [];
    expect(rows.map((row) => row.slice(3, -1))).toEqual(flags);
  });
});

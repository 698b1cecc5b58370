import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { NODE_FLAGS } from '../../support/process.js';

const read = (path: string): string => readFileSync(path, 'utf8');

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const [, inImage = ''] = /^CMD (\[.*\])$/m.exec(read('Dockerfile')) ?? [];

/** Makes Node print its process id and flags, and exit before it runs the program. */
const REPORT =
  'data:text/javascript,console.log(JSON.stringify([process.pid,...process.execArgv]));process.exit()';

describe('node-flags.txt', () => {
  it.each([
    ['npm start', ['sh', '-c', scripts['start']]],
    ['npm run start:prod', ['sh', '-c', scripts['start:prod']]],
    ['the image', JSON.parse(inImage) as string[]],
  ])(
    'should be passed by %s to Node, which runs in the process of the command itself',
    async (_, [command = '', ...args]) => {
      const options = { env: { ...process.env, NODE_OPTIONS: `--import=${REPORT}` } };
      const report = await new Promise<[pid: number | undefined, output: string]>((resolve) => {
        const { pid } = execFile(command, args as string[], options, (_error, output) =>
          resolve([pid, output]),
        );
      });
      const [pid, output] = report;
      expect(JSON.parse(output)).toEqual([pid, ...NODE_FLAGS]);
    },
  );

  it('should be copied into the image', () => {
    expect(read('Dockerfile')).toMatch(/^COPY .*\bnode-flags\.txt\b/m);
    expect(read('.dockerignore').split('\n')).toContain('!node-flags.txt');
  });

  it('should be explained in docs/performance.md', () => {
    const [, section = ''] = read('docs/performance.md').split('## Flags of Node');
    const rows = section.match(/^\| `--[^`]+`/gm) ?? [];
    expect(rows.map((row) => row.slice(3, -1))).toEqual(NODE_FLAGS);
    expect(NODE_FLAGS).toHaveLength(4);
  });
});

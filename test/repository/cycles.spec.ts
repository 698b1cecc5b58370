import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { filesBelow, ROOT } from './files.js';

/** `import … from './x.js'`, `export … from './x.js'` and `import './x.js'`, with or without `type`. */
const STATEMENT = /^(?:import|export)\b(?:[^;'"]*\bfrom)?\s*'(\.[^']+)'/gm;

/** The paths of the files that a file imports. */
function importsOf(path: string): string[] {
  return [...readFileSync(join(ROOT, path), 'utf8').matchAll(STATEMENT)].map(([, name = '']) => {
    const found = normalize(join(dirname(path), name));
    return existsSync(join(ROOT, found)) ? found : found.replace(/\.js$/, '.ts');
  });
}

/** Each cycle that a walk over all imports meets, as `a → b → a`. */
function cyclesOf(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const walk = (path: string, way: readonly string[]): void => {
    const at = way.indexOf(path);
    if (at >= 0) cycles.push([...way.slice(at), path].join(' → '));
    if (at >= 0 || done.has(path)) return;
    for (const next of imports.get(path) ?? []) walk(next, [...way, path]);
    done.add(path);
  };
  for (const path of imports.keys()) walk(path, []);
  return cycles;
}

/** ESLint's `import-x/no-cycle` does not count type imports. */
describe('imports, including type imports', () => {
  const files = filesBelow('src', 'test', 'scripts', 'bench').filter((path) =>
    /\.m?[jt]s$/.test(path),
  );
  const imports = new Map(files.map((path) => [path, importsOf(path)]));

  it('should be found, and lead to existing files', () => {
    expect(imports.get('src/app.ts')).toContain('src/app.module.ts');
    const missing = [...imports.values()].flat().filter((path) => !existsSync(join(ROOT, path)));
    expect(missing).toEqual([]);
  });

  it('should have no cycles', () => {
    expect(cyclesOf(imports)).toEqual([]);
    expect(
      cyclesOf(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['b']],
        ]),
      ),
    ).toEqual(['b → c → b']);
  });
});

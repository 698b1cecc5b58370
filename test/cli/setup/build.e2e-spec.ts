import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { temporaryFolder } from '../../support/process.js';

const PROJECT = [
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'scripts/build-if-stale.mjs',
  'scripts/build',
];

it('npm run build should never be without the files that a server loads, and remove old ones', async () => {
  const root = await temporaryFolder();
  for (const path of PROJECT) await cp(path, join(root, path), { recursive: true });
  await symlink(resolve('node_modules'), join(root, 'node_modules'));
  await mkdir(join(root, 'src/web/assets'), { recursive: true });
  await writeFile(join(root, 'src/main.ts'), 'export const one = 1;');
  const env = { ...process.env, PATH: `${resolve('node_modules/.bin')}:${process.env['PATH']}` };
  const build = async () => {
    const child = spawn(process.execPath, ['scripts/build/build.mjs'], { cwd: root, env });
    return ((await once(child, 'exit')) as [number])[0];
  };
  expect(await build()).toBe(0);
  for (const folder of ['build', 'dist']) await writeFile(join(root, folder, 'former.js'), '');

  const main = join(root, 'dist/main.js');
  let missing = 0;
  const timer = setInterval(() => (missing += existsSync(main) ? 0 : 1), 1);
  const again = await build();
  clearInterval(timer);
  expect([again, missing]).toEqual([0, 0]);
  expect(await readdir(join(root, 'dist'))).toEqual(['main.js', 'web']);
  expect(await readdir(join(root, 'build'))).toEqual(['.tsbuildinfo', 'main.js', 'main.js.map']);
}, 60_000);

import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { swiftCollisions } from './swift-names.ts';
import { generate, run, runTool } from './tools.ts';

const CONFIG_FOLDER = fileURLToPath(new URL('.', import.meta.url));
const TSC = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url));

export interface CheckContext {
  /** Path of the file with the OpenAPI description. */
  readonly description: string;
  /** An empty folder of the check. */
  readonly folder: string;
}

/** Rejects with an Error that says what is wrong. */
export type Check = (context: CheckContext) => Promise<unknown>;

/** Compiles the output of a generator with strict settings. */
async function compile(folder: string): Promise<void> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    types: [],
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom', 'dom.iterable'],
  };
  const project = join(folder, 'tsconfig.json');
  writeFileSync(project, JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
  await run(TSC, ['-p', project]);
}

export const CHECKS: Readonly<Record<string, Check>> = {
  'redocly lint': async ({ description }) => {
    const config = ['--config', join(CONFIG_FOLDER, 'redocly.yaml')];
    const output = await runTool('redocly', ['lint', description, ...config, '--format=stylish']);
    if (/\bYou have \d+ (warning|error)/.test(output)) throw new Error(output);
  },
  'spectral lint': ({ description }) =>
    runTool('spectral', [
      'lint',
      description,
      '--ruleset',
      join(CONFIG_FOLDER, 'spectral.yaml'),
      '--fail-severity',
      'hint',
    ]),
  'openapi-typescript, tsc --strict': async ({ description, folder }) => {
    await runTool('openapi-typescript', [description, '--output', join(folder, 'schema.ts')]);
    await compile(folder);
  },
  '@hey-api/openapi-ts, tsc --strict': async ({ description, folder }) => {
    const target = join(folder, 'client');
    await runTool('openapi-ts', ['-i', description, '-o', target, '--no-log-file'], folder);
    await compile(folder);
  },
  'openapi-generator typescript-fetch, tsc --strict': async ({ description, folder }) => {
    await generate('typescript-fetch', description, folder);
    await compile(folder);
  },
  'openapi-generator swift6, names': async ({ description, folder }) => {
    await generate('swift6', description, folder);
    const collisions = swiftCollisions(folder);
    if (collisions.length > 0) throw new Error(collisions.join('\n'));
  },
};

/** Checks that run only by hand, because they take minutes and download a compiler. */
export const KOTLIN_CHECKS: Readonly<Record<string, Check>> = {
  'openapi-generator kotlin, kotlinc': async ({ description, folder }) => {
    await generate('kotlin', description, folder);
    mkdirSync(folder, { recursive: true });
    copyFileSync(join(CONFIG_FOLDER, 'pom.xml'), join(folder, 'pom.xml'));
    await run('mvn', ['--batch-mode', '--quiet', 'compile'], { cwd: folder });
  },
};

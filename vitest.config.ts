import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Nest's dependency injection reads the types that the compiler writes beside the decorators.
  oxc: { target: 'es2024', decorator: { legacy: true, emitDecoratorMetadata: true } },
  // Imports of threads and of the build: Node loads them, not Vite.
  build: { dynamicImportVarsOptions: { exclude: ['**'] } },
  test: {
    pool: 'forks',
    // The test files of a worker share its modules: loading them takes longer than most files run.
    isolate: false,
    maxWorkers: 2,
    // Tests make much garbage, most of it at once: a larger young generation collects it in less time.
    execArgv: ['--max-semi-space-size=64'],
    setupFiles: ['reflect-metadata', './test/support/vitest/setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['{src,test}/**/*.spec.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/**/*.e2e-spec.ts'],
          globalSetup: './test/support/vitest/global-setup.mjs',
        },
      },
    ],
  },
});

/** @type {import('jest').Config} */
const shared = {
  extensionsToTreatAsEsm: ['.ts'],
  // Sources import './x.js' as TypeScript's nodenext asks; under jest that file is still './x.ts'.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  testEnvironment: 'node',
  setupFiles: ['reflect-metadata'],
};

export default {
  projects: [
    { ...shared, displayName: 'unit', testMatch: ['<rootDir>/{src,test}/**/*.spec.ts'] },
    {
      ...shared,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/**/*.e2e-spec.ts'],
      globalSetup: '<rootDir>/test/support/mongo/global-setup.mjs',
      globalTeardown: '<rootDir>/test/support/mongo/global-teardown.mjs',
    },
  ],
  testTimeout: 30_000,
  maxWorkers: 2,
  // The modules of a test file stay in memory after it; a worker that has grown starts afresh.
  workerIdleMemoryLimit: '1GB',
};

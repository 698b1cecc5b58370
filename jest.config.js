const project = {
  testRunner: '<rootDir>/test/support/jest/run-file.ts',
  // Node loads and compiles the files: see run-file.ts.
  transform: {},
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json'],
  // How Jest finds the tests of a changed file.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/(dist|client/dist)/'],
  clearMocks: true,
};

export default {
  maxWorkers: 2,
  // Without a limit, Jest runs few files in its own process, and would not load changed modules again.
  workerIdleMemoryLimit: '8GB',
  testTimeout: 30_000,
  workerGracefulExitTimeout: 5_000,
  projects: [
    {
      ...project,
      displayName: 'unit',
      testMatch: ['<rootDir>/{src,test}/**/*.spec.ts'],
    },
    {
      ...project,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/**/*.e2e-spec.ts'],
      globalSetup: '<rootDir>/test/support/jest/global-setup.mjs',
      globalTeardown: '<rootDir>/test/support/jest/global-teardown.mjs',
    },
  ],
};

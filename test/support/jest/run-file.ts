import './typescript.ts';
import 'reflect-metadata';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { jestExpect } from '@jest/expect';
import { createEmptyTestResult, type AssertionResult, type TestResult } from '@jest/test-result';
import type { Circus, Config } from '@jest/types';
import { addEventHandler, afterAll, getState, resetState, run } from 'jest-circus';
import { formatExecError, formatResultsErrors } from 'jest-message-util';
import { cleanUp } from '../clean-up.ts';
import { jest } from './globals.ts';

const STATUSES = { skip: 'pending', todo: 'todo', done: 'passed' } as const;

const realExit = process.exit.bind(process);
let clearMocks = false;

/**
 * Runs a test file. Jest's option `testRunner` names this module. Node loads the file and its imports, so
 * that all files of a worker share their modules. Jest's own runner would load the modules again for each
 * file, which takes longer than most files run.
 */
export default async function runFile(
  globalConfig: Config.GlobalConfig,
  config: Config.ProjectConfig,
  _environment: unknown,
  _runtime: unknown,
  testPath: string,
): Promise<TestResult> {
  // Jest's own formatter of stacks does not know the source maps of modules that Node has loaded.
  Reflect.deleteProperty(Error, 'prepareStackTrace');
  const state = getState();
  state.testTimeout = globalConfig.testTimeout ?? 5_000;
  const { testNamePattern: pattern } = globalConfig;
  state.testNamePattern = pattern ? new RegExp(pattern, 'i') : null;
  clearMocks = config.clearMocks;
  jestExpect.setState({ expand: globalConfig.expand ?? false, testPath });

  process.exit = refuseToExit;
  try {
    await import(pathToFileURL(testPath).href);
    // This hook runs after the hooks of the file, because it ends what they use.
    afterAll(async () => {
      await cleanUp();
      // While this waits, Node reports an error that the last test has left behind.
      await setImmediate();
    }, 120_000);
    return toTestResult(await run(), globalConfig, config, testPath);
  } finally {
    process.exit = realExit;
    resetState();
  }
}

function refuseToExit(code?: unknown): never {
  throw new Error(`process.exit(${String(code)}) was called`);
}

addEventHandler((event) => {
  if (event.name === 'test_start' && clearMocks) jest.clearAllMocks();
  if (event.name === 'test_done') {
    const failures = jestExpect.extractExpectedAssertionsErrors();
    event.test.errors.push(...failures.map(({ error }) => error as Circus.Exception));
  }
});

// Jest's listener would end the worker.
process.removeAllListeners('uncaughtException');
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);

/** Fails the running test, or else the file. */
function fail(error: unknown): void {
  const { currentlyRunningTest, unhandledErrors } = getState();
  (currentlyRunningTest?.errors ?? unhandledErrors).push(error as Circus.Exception);
}

function toTestResult(
  { testResults, unhandledErrorsDetailed: unhandled }: Circus.RunResult,
  globalConfig: Config.GlobalConfig,
  config: Config.ProjectConfig,
  testFilePath: string,
): TestResult {
  const results = testResults.map(toAssertionResult);
  const count = (status: string) => results.filter((result) => result.status === status).length;
  const messages = [
    formatResultsErrors(results, config, globalConfig, testFilePath),
    ...unhandled.map((error) => formatExecError(error, config, globalConfig)),
  ];
  return {
    ...createEmptyTestResult(),
    numFailingTests: count('failed'),
    numPassingTests: count('passed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    testFilePath,
    testResults: results,
    failureMessage: messages.filter(Boolean).join('\n') || null,
    ...(unhandled[0] && { testExecError: { message: '', stack: unhandled[0].stack } }),
  };
}

function toAssertionResult(result: Circus.TestResult): AssertionResult {
  const { errors, errorsDetailed, testPath, status, ...rest } = result;
  const [, ...titles] = testPath.map(String);
  return {
    ...rest,
    ancestorTitles: titles.slice(0, -1),
    title: titles.at(-1) ?? '',
    fullName: titles.join(' '),
    failureDetails: errorsDetailed,
    failureMessages: errors,
    status: status === 'done' && errors.length > 0 ? 'failed' : STATUSES[status],
  };
}

import { jestExpect } from '@jest/expect';
import { ModernFakeTimers } from '@jest/fake-timers';
import type { Config } from '@jest/types';
import { getState } from 'jest-circus';
import { ModuleMocker } from 'jest-mock';

/** Replaces `@jest/globals` in tests. It uses the global object of the process, where the modules of tests run. */
export { afterAll, afterEach, beforeAll, beforeEach, describe, it } from 'jest-circus';
export { jestExpect as expect };

const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({
  config: { fakeTimers: {} } as Config.ProjectConfig,
  global: globalThis,
});

/** The methods of `jest` that tests use. Others are undefined at run time. */
export const jest = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  clearAllMocks: mocker.clearAllMocks.bind(mocker),
  restoreAllMocks: mocker.restoreAllMocks.bind(mocker),
  useFakeTimers: timers.useFakeTimers.bind(timers),
  useRealTimers: timers.useRealTimers.bind(timers),
  advanceTimersByTime: timers.advanceTimersByTime.bind(timers),
  advanceTimersByTimeAsync: timers.advanceTimersByTimeAsync.bind(timers),
  setTimeout: (ms: number): void => {
    getState().testTimeout = ms;
  },
};

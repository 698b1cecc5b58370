import { until } from '../../../support/time/wait.js';
import type { TestApp } from '../../../support/start-app.js';

export type Line = Readonly<Record<string, unknown>>;

/** The log lines that have this message. */
export function linesOf({ log }: Pick<TestApp, 'log'>, msg: string): Line[] {
  return log.map((line) => JSON.parse(line) as Line).filter((line) => line['msg'] === msg);
}

/** Waits for request lines, which are written after the response. */
export async function requestLines(server: TestApp, count: number): Promise<Line[]> {
  await until(`${count} request lines`, () => linesOf(server, 'request').length >= count);
  return linesOf(server, 'request');
}

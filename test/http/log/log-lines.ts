import { until } from '../../support/wait.js';
import type { TestApp } from '../../support/start-app.js';

export type Line = Readonly<Record<string, unknown>>;

/** What a server has logged under this message. */
export function linesOf({ log }: Pick<TestApp, 'log'>, msg: string): Line[] {
  return log.map((line) => JSON.parse(line) as Line).filter((line) => line['msg'] === msg);
}

/** Lines are written after the answer, so they are waited for. */
export async function requestLines(server: TestApp, count: number): Promise<Line[]> {
  await until(`${count} request lines`, () => linesOf(server, 'request').length >= count);
  return linesOf(server, 'request');
}

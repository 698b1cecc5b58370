import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pinned, type Cpus } from '../support/machine/cpus.ts';
import { ownFolder, ownProcess } from '../support/program.ts';
import type { Latencies } from '../support/statistics.ts';
import { countCost, type Measure, type MeasuredServer } from './measure.ts';
import { rawAnswer, type RawAnswer } from './raw-answer.ts';

const SCRIPT = fileURLToPath(new URL('wrk.lua', import.meta.url));
/** Timeout of wrk. It is long, because a late answer of a busy server is not wrong. */
const TIMEOUT = '30s';
const MISSING = 'wrk is missing: install it (on Debian and Ubuntu: apt-get install wrk)';

const run = promisify(execFile);

export interface ClosedLoad {
  readonly server: MeasuredServer;
  /** The path to read. Set either this or `paths`. */
  readonly path?: string;
  /** The paths to read, in turn. */
  readonly paths?: readonly string[];
  /** The only bodies that answers may have. */
  readonly answers?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly connections?: number;
  readonly seconds: number;
}

/** The output of wrk.lua. Latencies are in milliseconds. */
type WrkReport = Latencies &
  Readonly<Record<'micros' | 'requests' | 'bytes' | 'errors' | 'wrong', number>> & {
    readonly sample: string;
  };

/**
 * Sends requests over a fixed number of connections, each as soon as the last one is answered, by one thread of wrk.
 *
 * With `path` it checks that no request failed, and that all answers together have the size of the first answer
 * times their number. With `paths` and `answers` it checks that each answer is 200, and that its body is equal to
 * one of `answers`.
 * @returns a measure with the latencies of a closed loop
 * @throws Error for any wrong answer
 */
export async function closedLoop(
  { server, path, paths, answers, headers = {}, connections = 64, seconds }: ClosedLoad,
  cpus: Cpus,
): Promise<Measure> {
  const { folder, remove } = ownFolder();
  try {
    const args = [
      '-t1',
      `-c${connections}`,
      `-d${Math.ceil(seconds)}s`,
      '--latency',
      `--timeout=${TIMEOUT}`,
      `-s${SCRIPT}`,
      ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      `${server.url}${path ?? '/'}`,
      '--',
      ...(paths ? [linesFile(folder, 'paths', paths)] : []),
      ...(answers ? [linesFile(folder, 'answers', answers)] : []),
    ];
    const first = path === undefined ? null : await rawAnswer(server.url, path, headers);
    const costOf = countCost(server);
    const report = await runWrk(args, cpus);
    const { requests, micros, p50, p99, p999 } = report;
    const cost = costOf(requests);
    checkAnswers(report, first, connections);
    return { rate: requests / (micros / 1e6), ...cost, p50, p99, p999, requests };
  } finally {
    remove();
  }
}

function linesFile(folder: string, name: string, lines: readonly string[]): string {
  const file = join(folder, name);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
}

async function runWrk(args: string[], cpus: Cpus): Promise<WrkReport> {
  const [program, programArgs] = pinned(cpus.load, 'wrk', args);
  const ended = run(program, programArgs, { maxBuffer: 1e7 });
  ownProcess(ended.child);
  try {
    const { stdout } = await ended;
    return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as WrkReport;
  } catch (error) {
    const { code, signal, stdout, stderr } = error as Record<string, string | number>;
    const isMissing = code === 'ENOENT' || code === 127;
    throw new Error(isMissing ? MISSING : `wrk ended with ${signal ?? code}: ${stderr}${stdout}`, {
      cause: error,
    });
  }
}

function checkAnswers(report: WrkReport, first: RawAnswer | null, connections: number): void {
  const { requests, bytes, errors, wrong, sample } = report;
  if (requests === 0) throw new Error('there was no answer');
  if (errors > 0) throw new Error(`${errors} of ${requests} requests failed`);
  if (wrong > 0) throw new Error(`${wrong} of ${requests} answers were wrong, such as: ${sample}`);
  if (first === null) return;
  // The last answer of each connection may have arrived in part: its bytes count, but it is not counted as an
  // answer.
  const surplus = bytes - requests * first.size;
  if (surplus < 0 || surplus > connections * first.size) {
    throw new Error(
      `${requests} answers had ${bytes} bytes, ${requests * first.size} were expected ` +
        `(first: ${first.status}, ${first.size} bytes)`,
    );
  }
}

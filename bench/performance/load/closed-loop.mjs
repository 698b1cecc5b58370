import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ownProcess } from '../clean-up.mjs';
import { pinned } from '../cpus.mjs';
import { rawAnswer } from './raw-answer.mjs';

const SCRIPT = fileURLToPath(new URL('wrk.lua', import.meta.url));
/** A server that is short of processor time answers late, not wrongly. */
const TIMEOUT = '30s';
const MISSING = 'wrk is missing: install it (on Debian and Ubuntu: apt-get install wrk)';

const run = promisify(execFile);

/**
 * As many requests as the server answers, over a fixed number of connections, by one thread of wrk.
 *
 * What is checked: with one `path`, that there was no error and that the bytes received are those of
 * as many answers of the size of the first; with `paths` and `answers`, that each answer is 200 and
 * its body is, byte for byte, one of `answers`.
 *
 * @returns a measure (bench/performance.mjs); the latencies are those of a closed loop
 * @throws Error for any wrong answer
 */
export async function closedLoop(
  { server, path, paths, answers, headers = {}, connections = 64, seconds },
  cpus,
) {
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-bench-load-'));
  try {
    const args = [
      ...[
        '-t1',
        `-c${connections}`,
        `-d${Math.ceil(seconds)}s`,
        '--latency',
        '--timeout',
        TIMEOUT,
        '-s',
        SCRIPT,
      ],
      ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      `${server.url}${path ?? '/'}`,
      '--',
      ...(paths ? [linesFile(folder, 'paths', paths)] : []),
      ...(answers ? [linesFile(folder, 'answers', answers)] : []),
    ];
    const first = path === undefined ? null : await rawAnswer(server.url, path, headers);
    const startedAt = performance.now();
    const cpuBefore = server.cpuSeconds();
    const report = await runWrk(args, cpus);
    const cpu = server.cpuSeconds() - cpuBefore;
    const elapsed = (performance.now() - startedAt) / 1_000;
    checkAnswers(report, first, connections);
    return {
      rate: report.requests / (report.micros / 1e6),
      ...perRequest(cpu, report.requests, elapsed),
      p50: report.p50,
      p99: report.p99,
      p999: report.p999,
      requests: report.requests,
      errors: 0,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the answers of a run cost the server. */
export function perRequest(cpuSeconds, requests, elapsedSeconds) {
  return {
    perCpuSecond: requests / cpuSeconds,
    cpuMicros: (cpuSeconds * 1e6) / requests,
    busy: cpuSeconds / elapsedSeconds,
  };
}

function linesFile(folder, name, lines) {
  const file = join(folder, name);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
}

async function runWrk(args, cpus) {
  const [program, programArgs] = pinned(cpus.load, 'wrk', args);
  const ended = run(program, programArgs, { maxBuffer: 1e7 });
  ownProcess(ended.child);
  const { stdout } = await ended.catch((error) => {
    const isMissing = error.code === 'ENOENT' || error.code === 127;
    const { code, signal, stdout: said, stderr } = error;
    throw new Error(isMissing ? MISSING : `wrk ended with ${signal ?? code}: ${stderr}${said}`);
  });
  return JSON.parse(stdout.trimEnd().split('\n').at(-1));
}

function checkAnswers({ requests, bytes, errors, wrong, sample }, first, connections) {
  if (requests === 0) throw new Error('there was no answer');
  if (errors > 0) throw new Error(`${errors} of ${requests} requests failed`);
  if (wrong > 0) throw new Error(`${wrong} of ${requests} answers were wrong, such as: ${sample}`);
  if (first === null) return;
  // The last answers of each connection may be counted in part.
  const surplus = bytes - requests * first.size;
  if (surplus < 0 || surplus > connections * first.size) {
    throw new Error(
      `${requests} answers had ${bytes} bytes, ${requests * first.size} were expected ` +
        `(first: ${first.status}, ${first.size} bytes)`,
    );
  }
}

import { execFileSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';
import type { Cpus } from './cpus.ts';

export type Circumstances = ReturnType<typeof circumstances>;

/**
 * Describes the machine, the versions and the time of a measurement, without which its figures say nothing.
 * @param script script of package.json, which was run with the arguments of this process
 * @param folder folder of the sources; the current one by default
 */
export function circumstances(run: {
  script: string;
  cpus: Cpus;
  mongoVersion: string;
  count: number;
  folder?: string;
}) {
  const model = cpus()[0]?.model ?? 'unknown processor';
  return {
    date: new Date().toISOString(),
    command: [`npm run ${run.script} --`, ...process.argv.slice(2)].join(' '),
    machine: `${cpus().length} x ${model.trim()}, ${Math.round(totalmem() / 1024 ** 3)} GB`,
    pinning: run.cpus.note,
    // The load average shows whether other programs kept the cores busy.
    loadAverage: loadavg()[0],
    node: process.version,
    mongodb: run.mongoVersion,
    commit: commit(run.folder),
    articles: run.count,
  };
}

/** @returns the commit of the sources; null where there is no repository */
function commit(cwd = process.cwd()): string | null {
  try {
    const args = ['describe', '--always', '--dirty'];
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
    return execFileSync('git', args, { cwd, encoding: 'utf8', stdio }).trim();
  } catch {
    return null;
  }
}

export function circumstancesText(where: Circumstances): string {
  return Object.entries(where)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

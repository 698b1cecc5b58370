/** Runs `pressroom import` as a process, and watches its memory. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import { peakResidentBytesOf } from '../support/processes.ts';
import { ownProcess } from '../support/program.ts';

const PRESSROOM = fileURLToPath(new URL('../../bin/pressroom.mjs', import.meta.url));
const LOOK_MS = 50;

export interface ImportRun {
  readonly seconds: number;
  readonly peakBytes: number;
  readonly report: { readonly published: number; readonly skipped: readonly unknown[] };
}

/** @throws Error when it fails */
export async function runImport(uri: string, format: string, path: string): Promise<ImportRun> {
  const startedAt = performance.now();
  const args = [PRESSROOM, '--json', 'import', format, path];
  const child = ownProcess(
    spawn(process.execPath, args, {
      env: { ...process.env, MONGODB_URI: uri, NODE_ENV: 'test' },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const ended = once(child, 'close');
  let peakBytes = 0;
  while (child.exitCode === null && child.signalCode === null) {
    peakBytes = Math.max(peakBytes, peakResidentBytesOf(child.pid ?? 0));
    await wait(LOOK_MS);
  }
  await ended;
  if (child.exitCode !== 0)
    throw new Error(`import ${format} ended with ${child.exitCode}: ${printed}`);
  const seconds = (performance.now() - startedAt) / 1_000;
  return { seconds, peakBytes, report: JSON.parse(printed) as ImportRun['report'] };
}

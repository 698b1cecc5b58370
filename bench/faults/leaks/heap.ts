import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { linearRegression, mean } from 'simple-statistics';
import { ownFolder } from '../../support/program.ts';
import { askBySignal } from '../../support/signal.ts';
import type { Server, ServerOptions } from '../bed/server.ts';

const PRELOAD = new URL('../../attacks/heap.preload.ts', import.meta.url).href;
const MEGABYTE = 1_000_000;

export interface HeapSample {
  /** Milliseconds of `performance.now`. */
  readonly at: number;
  readonly megabytes: number;
}

/** Asks servers how much of their heap is in use after a collection. */
export class Heaps {
  readonly #folder = ownFolder().folder;

  /** What a server is started with, so that it answers. */
  readonly optionsOf = (index: number): ServerOptions => ({
    env: { HEAP_FILE: this.#fileOf(index) },
    nodeOptions: ['--expose-gc', '--import', PRELOAD],
  });

  /** Samples each server until it is over. @returns those of each server */
  watch(
    servers: readonly Server[],
    everyMs: number,
    isOver: () => boolean,
  ): Promise<readonly (readonly HeapSample[])[]> {
    return Promise.all(
      servers.map(async ({ pid }, index) => {
        const samples: HeapSample[] = [];
        for (; !isOver(); await wait(everyMs)) {
          const bytes = await askBySignal(pid, this.#fileOf(index)).catch(() => NaN);
          samples.push({ at: performance.now(), megabytes: Number(bytes) / MEGABYTE });
        }
        return samples;
      }),
    );
  }

  #fileOf(index: number): string {
    return join(this.#folder, `heap-${index}.json`);
  }
}

/** @returns the level in MB, and by which share of it the line through the samples rises */
export function growthOf(samples: readonly HeapSample[]): { level: number; growth: number } {
  const level = mean(samples.map(({ megabytes }) => megabytes));
  const { m: slope } = linearRegression(samples.map(({ at, megabytes }) => [at, megabytes]));
  const duration = (samples.at(-1)?.at ?? NaN) - (samples[0]?.at ?? NaN);
  return { level, growth: (slope * duration) / level };
}

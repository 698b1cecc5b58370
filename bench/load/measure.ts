import type { Latencies } from '../support/statistics.ts';

/** Processor time of the server for the answers of a run. `busy` is the share of a core that it used. */
export type Cost = { perCpuSecond: number; cpuMicros: number; busy: number };

/** Number of answers a second, and of answers in all. */
export type Rate = { rate: number; requests: number };

/** Measurements of a server under a load; latencies in milliseconds. */
export type Measure = Rate & Cost & Latencies;

/** A server whose processor time can be read. */
export interface MeasuredServer {
  readonly url: string;
  readonly cpuSeconds: () => number;
}

/** Starts to count the processor time. @returns a function that computes the cost from the number of requests */
export function countCost(server: MeasuredServer): (requests: number) => Cost {
  const startedAt = performance.now();
  const before = server.cpuSeconds();
  return (requests) => {
    const cpuSeconds = server.cpuSeconds() - before;
    return {
      perCpuSecond: requests / cpuSeconds,
      cpuMicros: (cpuSeconds * 1e6) / requests,
      busy: cpuSeconds / ((performance.now() - startedAt) / 1_000),
    };
  };
}

import type { Latencies } from '../support/statistics.ts';

/** What the answers of a run cost the server: `busy` is the share of a core that it had. */
export type Cost = { perCpuSecond: number; cpuMicros: number; busy: number };

/** Answers a second, and how many there were. */
export type Rate = { rate: number; requests: number };

/** What a load has measured of a server; times in milliseconds. */
export type Measure = Rate & Cost & Latencies;

/** A server whose processor time can be read. */
export interface MeasuredServer {
  readonly url: string;
  readonly cpuSeconds: () => number;
}

/** Starts to count the processor time. @returns a function that says what so many requests cost */
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

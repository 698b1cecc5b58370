import type { MetricValues } from '../../metrics/metric.js';

/** Messages of a worker to its supervisor: first `initialised`, then `listening`, then its metrics. */
export type WorkerMessage =
  | { readonly kind: 'initialised' }
  /** `url` as Nest returns it. */
  | { readonly kind: 'listening'; readonly url: string }
  /** When it is asked, by any further message. */
  | { readonly kind: 'metrics'; readonly values: readonly MetricValues[] };

/** Message of the supervisor to a listening worker: it is to send its metrics. */
export const METRICS_REQUEST = { kind: 'metrics' } as const;

/** Message of the supervisor to an initialised worker: where to listen. */
export interface SharedPort {
  readonly host: string;
  readonly port: number;
  /**
   * True: each worker opens a socket of its own with SO_REUSEPORT, and the operating system distributes
   * the connections. False: the supervisor distributes them (node:cluster).
   */
  readonly reusePort: boolean;
}

import type { MetricValues } from '../../platform/metrics/metric.js';

/** Messages of a worker to its supervisor: first `initialised`, then `listening`, then answers. */
export type WorkerMessage =
  /** `notReady`: why it should get no requests. */
  | { readonly kind: 'initialised'; readonly notReady?: string }
  /** `url` as Nest returns it. */
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'metrics'; readonly values: readonly MetricValues[] }
  /** With the socket on which it listens. */
  | { readonly kind: 'socket' }
  /** With an open connection that has no request, for the worker that takes its place. */
  | { readonly kind: 'connection' };

/** Messages of the supervisor to a listening worker. */
export interface SupervisorMessage {
  /**
   * `metrics` and `socket`: it is to send them. `retire`: it is to end when its connections have, because
   * another worker accepts those of its socket. `connection`: it is to go on with the one that comes with it.
   */
  readonly kind: 'metrics' | 'socket' | 'retire' | 'connection';
  /** With `retire`: whether it may send `connection`. A supervisor of an earlier version would lose them. */
  readonly takesConnections?: boolean;
}

/** Message of the supervisor to an initialised worker: where to listen; with the socket of the worker before it. */
export interface SharedPort {
  readonly host: string;
  readonly port: number;
  /**
   * True: each worker opens a socket of its own with SO_REUSEPORT, and the operating system distributes
   * the connections. False: the supervisor distributes them (node:cluster).
   */
  readonly reusePort: boolean;
}

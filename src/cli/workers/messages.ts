import type { MetricValues } from '../../platform/metrics/metric.js';

/** Messages of a worker to its supervisor: `initialised`, `listening`, then what a SupervisorMessage asks for. */
export type WorkerMessage =
  /** `notReady` tells why the worker should get no requests. */
  | { readonly kind: 'initialised'; readonly notReady?: string }
  /** `url` is the server's URL as Nest returns it. */
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'metrics'; readonly values: readonly MetricValues[] }
  /** The socket on which the worker listens comes with the message. */
  | { readonly kind: 'socket' }
  /**
   * An open connection without a request comes with the message. The supervisor passes it on to the
   * worker that replaces the sender.
   */
  | { readonly kind: 'connection' };

/** Messages of the supervisor to a listening worker. */
export interface SupervisorMessage {
  /**
   * What the worker has to do. `metrics`: send its metrics. `socket`: send its listening socket.
   * `retire`: end when its connections have ended, because another worker now accepts connections on
   * its socket. `connection`: take over the connection that comes with the message.
   */
  readonly kind: 'metrics' | 'socket' | 'retire' | 'connection';
  /**
   * Whether a worker that retires may send `connection`. A supervisor of an earlier version does not
   * set it, and would lose the connections.
   */
  readonly takesConnections?: boolean;
}

/**
 * Message of the supervisor to an initialised worker: the address to listen on. If the worker replaces
 * another one, the other worker's socket may come with the message.
 */
export interface SharedPort {
  readonly host: string;
  readonly port: number;
  /**
   * If true, each worker opens a socket of its own with SO_REUSEPORT, and the operating system
   * distributes the connections. If false, the supervisor distributes them (node:cluster).
   */
  readonly reusePort: boolean;
}

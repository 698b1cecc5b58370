/** What a worker tells its supervisor, in this order. */
export type WorkerMessage =
  | { readonly kind: 'initialised' }
  /** `url` as Nest reports it. */
  | { readonly kind: 'listening'; readonly url: string };

/** Where workers listen, and how they come to share it: what a supervisor tells an initialised one. */
export interface SharedPort {
  readonly host: string;
  readonly port: number;
  /**
   * Whether each worker opens a socket of its own, among which the system shares the connections out
   * (SO_REUSEPORT); else they get theirs from the supervisor (node:cluster).
   */
  readonly reusePort: boolean;
}

/** The embedded MongoDB could not be started or did not keep running; the message says why and what to do. */
export class EmbeddedMongoError extends Error {
  override readonly name: string = 'EmbeddedMongoError';
}

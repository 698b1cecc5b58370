/** The embedded MongoDB did not start or has ended. The message says why and what to do. */
export class EmbeddedMongoError extends Error {
  override readonly name: string = 'EmbeddedMongoError';
}

import { OperatorError } from '../../config/operator.error.js';

/** The embedded MongoDB did not start or has ended. The message says why and what to do. */
export class EmbeddedMongoError extends OperatorError {
  override readonly name: string = 'EmbeddedMongoError';
}

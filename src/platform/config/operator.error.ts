/** An error that the operator can correct. The message says how, and is shown without a stack. */
export class OperatorError extends Error {
  /** Whether the message is a list with line breaks of its own. In any other message they come from a name. */
  readonly isList: boolean = false;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OperatorError';
  }
}

/** What whoever runs the server can mend; the message says how, and a stack would only hide it. */
export class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OperatorError';
  }
}

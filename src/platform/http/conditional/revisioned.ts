import type { FieldWarning } from '../envelope/envelope.js';

/** A view of a record, and the revision number of that record, which is sent as the `ETag`. */
export class Revisioned<View> {
  /** @param warnings warnings of the write that returns the view */
  constructor(
    readonly view: View,
    readonly rev: number,
    readonly warnings: readonly FieldWarning[] = [],
  ) {}

  /** The strong entity tag of the revision number. */
  get tag(): string {
    return `"${this.rev}"`;
  }
}

import { Warned } from '../envelope/warned.js';
import type { FieldWarning } from '../envelope/envelope.js';

/** A view of a record, and the revision number of that record, which is sent as the `ETag`. */
export class Revisioned<View> extends Warned<View> {
  constructor(
    view: View,
    readonly rev: number,
    warnings: readonly FieldWarning[] = [],
  ) {
    super(view, warnings);
  }

  /** The strong entity tag of the revision number. */
  get tag(): string {
    return `"${this.rev}"`;
  }
}

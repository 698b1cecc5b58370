import type { FieldWarning } from './envelope.js';

/** A view, if the answer has one, with warnings of the write that returns it. */
export class Warned<View> {
  constructor(
    readonly view: View,
    readonly warnings: readonly FieldWarning[],
  ) {}
}

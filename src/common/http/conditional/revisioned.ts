/** A view of a record, and the revision of that record, which is sent as the `ETag`. */
export class Revisioned<View> {
  constructor(
    readonly view: View,
    readonly rev: number,
  ) {}
}

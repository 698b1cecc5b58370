/** A view, with the revision of the record that it shows, which is sent as the `ETag`. */
export class Revisioned<View> {
  constructor(
    readonly view: View,
    readonly rev: number,
  ) {}
}

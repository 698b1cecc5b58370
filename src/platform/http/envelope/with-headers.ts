/** The headers of an answer, and its data if it has some. */
export class WithHeaders<Data = undefined> {
  constructor(
    readonly headers: Readonly<Record<string, string>>,
    readonly data?: Data,
  ) {}
}

/** The headers of an answer that has no data. */
export class WithHeaders {
  constructor(readonly headers: Readonly<Record<string, string>>) {}
}

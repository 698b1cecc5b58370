/** The tags of a text that have begun and not ended yet, each with a value. */
export class OpenTags<Value> {
  private readonly open: { readonly name: string; readonly value: Value }[] = [];
  /** The number of open tags of each name: whether one is open is known without a search. */
  private readonly counts = new Map<string, number>();

  begin(name: string, value: Value): void {
    this.open.push({ name, value });
    this.count(name, 1);
  }

  /**
   * Ends the last tag of a name, and all tags within it.
   *
   * @returns the value of the tag; undefined if no such tag is open
   */
  end(name: string): Value | undefined {
    if (!this.counts.get(name)) return undefined;
    for (let last = this.open.pop(); last; last = this.open.pop()) {
      this.count(last.name, -1);
      if (last.name === name) return last.value;
    }
    return undefined;
  }

  private count(name: string, change: 1 | -1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + change);
  }
}

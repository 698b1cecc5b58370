/** Counts the slots that are held, in total and by client prefix. */
export class ClientPrefixCounts {
  private readonly counts = new Map<string, number>();
  private sum = 0;

  get total(): number {
    return this.sum;
  }

  has(clientPrefix: string): boolean {
    return this.counts.has(clientPrefix);
  }

  of(clientPrefix: string): number {
    return this.counts.get(clientPrefix) ?? 0;
  }

  add(clientPrefix: string): void {
    this.counts.set(clientPrefix, this.of(clientPrefix) + 1);
    this.sum += 1;
  }

  /** Call it once for each slot that was added. */
  remove(clientPrefix: string): void {
    const remaining = this.of(clientPrefix) - 1;
    if (remaining > 0) this.counts.set(clientPrefix, remaining);
    else this.counts.delete(clientPrefix);
    this.sum -= 1;
  }
}

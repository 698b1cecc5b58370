/** Counts of something, such as slots or requests under way: in all, and of each client prefix. */
export class ClientPrefixCounts {
  private readonly counts = new Map<string, number>();
  private sum = 0;

  get total(): number {
    return this.sum;
  }

  /** Number of client prefixes with a count above 0, if this client prefix got one more. */
  prefixesWith(clientPrefix: string): number {
    return this.counts.size + (this.has(clientPrefix) ? 0 : 1);
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

  /** Subtracts one that was added for the client prefix. */
  remove(clientPrefix: string): void {
    const rest = this.of(clientPrefix) - 1;
    if (rest > 0) this.counts.set(clientPrefix, rest);
    else this.counts.delete(clientPrefix);
    this.sum -= 1;
  }
}

/** Counts of something, such as slots or requests under way: in all, and of each network. */
export class NetworkCounts {
  private readonly counts = new Map<string, number>();
  private sum = 0;

  get total(): number {
    return this.sum;
  }

  /** How many networks have any, or would have with one of this network. */
  networksWith(network: string): number {
    return this.counts.size + (this.has(network) ? 0 : 1);
  }

  has(network: string): boolean {
    return this.counts.has(network);
  }

  of(network: string): number {
    return this.counts.get(network) ?? 0;
  }

  add(network: string): void {
    this.counts.set(network, this.of(network) + 1);
    this.sum += 1;
  }

  /** Takes away one that was added. */
  remove(network: string): void {
    const rest = this.of(network) - 1;
    if (rest > 0) this.counts.set(network, rest);
    else this.counts.delete(network);
    this.sum -= 1;
  }
}

/**
 * A queue of queues, one for each owner. `next` serves the owners in round robin, and the items of one owner
 * in the order of arrival. With one owner this is a plain first-in, first-out queue.
 */
export class FairQueue<Item> {
  /** The queues by owner, in the order in which they are served. None is empty. */
  private readonly queues = new Map<string, Item[]>();
  private count = 0;

  get length(): number {
    return this.count;
  }

  add(owner: string, item: Item): void {
    const queue = this.queues.get(owner);
    if (queue) queue.push(item);
    else this.queues.set(owner, [item]);
    this.count += 1;
  }

  has(owner: string): boolean {
    return this.queues.has(owner);
  }

  /** @returns the largest number of items that `next` would return before an item that this owner adds now */
  countBefore(owner: string): number {
    const own = this.queues.get(owner)?.length ?? 0;
    let before = own;
    for (const [other, { length }] of this.queues) {
      if (other !== owner) before += Math.min(length, own + 1);
    }
    return before;
  }

  /**
   * Takes the oldest item of the owner whose turn it is.
   *
   * @param isServed returns false for an owner whose turn is skipped
   */
  next(isServed: (owner: string) => boolean = () => true): Item | undefined {
    for (const [owner, queue] of this.queues) {
      if (!isServed(owner)) continue;
      const item = queue.shift();
      // The owner goes to the end of the Map, so all others have their turns first.
      this.queues.delete(owner);
      if (queue.length > 0) this.queues.set(owner, queue);
      this.count -= 1;
      return item;
    }
    return undefined;
  }

  remove(owner: string, item: Item): void {
    const queue = this.queues.get(owner);
    const at = queue?.indexOf(item) ?? -1;
    if (!queue || at < 0) return;
    queue.splice(at, 1);
    if (queue.length === 0) this.queues.delete(owner);
    this.count -= 1;
  }

  /**
   * Removes the newest item of the longest queue, so that an item of the newcomer can have its place.
   *
   * @returns the item; undefined if no queue is longer than the newcomer's would become
   */
  dropForFairness(newcomer: string): Item | undefined {
    const byLength = [...this.queues].toSorted(([, one], [, other]) => other.length - one.length);
    const [longest] = byLength;
    const own = this.queues.get(newcomer)?.length ?? 0;
    if (!longest || longest[1].length <= own + 1) return undefined;
    const [owner, queue] = longest;
    const dropped = queue.at(-1);
    if (dropped !== undefined) this.remove(owner, dropped);
    return dropped;
  }
}

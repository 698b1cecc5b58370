import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Random choices that a seed repeats. */
export class Choices {
  private readonly generator: ReturnType<typeof xoroshiro128plus>;

  constructor(seed: number) {
    this.generator = xoroshiro128plus(seed);
  }

  /** A whole number from `min` to `max`, both included. */
  number(min: number, max: number): number {
    return uniformInt(this.generator, min, max);
  }

  oneOf<Item>(list: readonly Item[]): Item {
    return list[this.number(0, list.length - 1)] as Item;
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.number(0, 255)));
  }
}

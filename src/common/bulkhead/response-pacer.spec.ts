import { describe, expect, it } from '@jest/globals';
import { ResponsePacer } from './response-pacer.js';

describe('ResponsePacer', () => {
  it('should let five go every 10 ms, in their order, and then rest', async () => {
    const pace = new ResponsePacer();
    const order: number[] = [];
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: 50 }, (_, number) => pace.turn().then(() => order.push(number))),
    );
    // Ten steps; a timer may be a millisecond early.
    expect(performance.now() - startedAt).toBeGreaterThan(90);
    expect(order).toEqual([...Array(50).keys()]);
    expect(pace['timer']).toBeNull();
  });

  it('should hold no more than a thousand', async () => {
    const pace = new ResponsePacer();
    const held = Array.from({ length: 1_000 }, () => pace.turn());
    await pace.turn();
    expect(pace['held'].length).toBeGreaterThan(900);
    pace['held'].splice(0).forEach((go) => go());
    await Promise.all(held);
  });
});

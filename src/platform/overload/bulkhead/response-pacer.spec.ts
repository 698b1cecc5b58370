import { describe, expect, it } from '@jest/globals';
import { ResponsePacer } from './response-pacer.js';

describe('ResponsePacer', () => {
  it('should release five calls every 10 ms, in their order, and then stop its timer', async () => {
    const pacer = new ResponsePacer();
    const order: number[] = [];
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: 50 }, (_, number) => pacer.waitTurn().then(() => order.push(number))),
    );
    // Ten intervals; a timer may fire a millisecond early.
    expect(performance.now() - startedAt).toBeGreaterThan(90);
    expect(order).toEqual([...Array(50).keys()]);
    expect(pacer['timer']).toBeNull();
  });

  it('should hold at most a thousand calls', async () => {
    const pacer = new ResponsePacer();
    const held = Array.from({ length: 1_000 }, () => pacer.waitTurn());
    await pacer.waitTurn();
    expect(pacer['held'].length).toBeGreaterThan(900);
    pacer['held'].splice(0).forEach((release) => release());
    await Promise.all(held);
  });
});

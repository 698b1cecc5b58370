import { describe, expect, it } from '@jest/globals';
import { BoundedQueue, type Leave } from './bounded-queue.js';

const LINE = { width: 2, length: 3, maxWaitMs: 10_000 };

/** Somebody who was let in, or will be. */
const letIn = async (entry: Promise<Leave | null>): Promise<Leave> => {
  const leave = await entry;
  if (leave === null) throw new Error('was sent away');
  return leave;
};

describe('BoundedQueue', () => {
  it('should let in as many as there is room for, let some wait, and send the rest away', async () => {
    const line = new BoundedQueue(LINE);
    const inside = await Promise.all([letIn(line.enter()), letIn(line.enter())]);
    const waiting = [1, 2, 3].map(() => letIn(line.enter()));
    expect(await Promise.all([line.enter(), line.enter()])).toEqual([null, null]);
    for (const leave of inside) leave();
    for (const entry of waiting) (await entry)();
    expect([line['inside'], line['waiting'].size]).toEqual([0, 0]);
  });

  it('should let them in in the order in which they came', async () => {
    const line = new BoundedQueue({ ...LINE, width: 1 });
    const served: number[] = [];
    const first = await letIn(line.enter());
    const others = [1, 2, 3].map(async (number) => {
      const leave = await letIn(line.enter());
      served.push(number);
      leave();
    });
    first();
    await Promise.all(others);
    expect(served).toEqual([1, 2, 3]);
  });

  it('should let nobody slip in before one who was called', async () => {
    const line = new BoundedQueue({ ...LINE, width: 1 });
    const first = await letIn(line.enter());
    const called = line.enter();
    first();
    const late = line.enter();
    expect([line['inside'], line['waiting'].size]).toEqual([1, 1]);
    (await letIn(called))();
    (await letIn(late))();
    expect(line['inside']).toBe(0);
  });

  it('should send away who has waited too long, and nobody else', async () => {
    const line = new BoundedQueue({ ...LINE, width: 1, maxWaitMs: 40 });
    const leave = await letIn(line.enter());
    expect(await Promise.all([line.enter(), line.enter()])).toEqual([null, null]);
    expect(line['waiting'].size).toBe(0);
    leave();
    (await letIn(line.enter()))();
    expect(line['inside']).toBe(0);
  });
});

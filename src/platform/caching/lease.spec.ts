import { describe, expect, it } from '@jest/globals';
import type { Model } from 'mongoose';
import type { Heartbeat } from './change-stream/heartbeat.schema.js';
import { Lease } from './lease.js';

describe('Lease', () => {
  it('should remove its record at the end only after a heartbeat that is being written', async () => {
    const done: string[] = [];
    let write!: () => void;
    const written = new Promise<void>((resolve) => (write = resolve));
    const heartbeats = {
      updateOne: () => written.then(() => done.push('written')),
      deleteOne: () => Promise.resolve(done.push('removed')),
    } as unknown as Model<Heartbeat>;
    const clock = { now: () => new Date(), monotonic: () => 1_000 };
    const lease = new Lease(heartbeats, clock);
    expect(lease.isHeld()).toBe(false);
    lease.returned(1);
    const retired = lease.retire();
    write();
    await retired;
    expect(done).toEqual(['written', 'removed']);
  });
});

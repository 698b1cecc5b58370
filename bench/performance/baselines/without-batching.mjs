/**
 * Pressroom itself, save that every public read has a query of its own, and any number of them run at a
 * time. Never anything but a bench.
 */
import { PublicReads } from '../../../dist/blog-public/reads/public-reads.js';

const { schedule } = PublicReads.prototype;
const unbatched = new WeakMap();

PublicReads.prototype.schedule = function (key) {
  if (!unbatched.has(this)) {
    const options = { ...this.options, scheduleOf: () => 'alone' };
    unbatched.set(this, Object.create(this, { options: { value: options } }));
  }
  return schedule.call(unbatched.get(this), key);
};

await import('../../../dist/main.js');

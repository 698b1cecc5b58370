/**
 * Pressroom itself, save that every public read has a query of its own, and any number of them run at a
 * time. Never anything but a bench.
 */
import { built } from '../../support/built.ts';

const { PublicReads } = await built('blog/public/reads/public-reads');
const { schedule } = PublicReads.prototype;
const scheduleOf = () => 'alone';

PublicReads.prototype.schedule = function (key) {
  this.options.scheduleOf = scheduleOf;
  return schedule.call(this, key);
};

await built('main');

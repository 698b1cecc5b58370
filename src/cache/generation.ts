import type { CacheSubject } from '../common/cache-subject.js';
import type { CacheCoherenceService } from './cache-coherence.service.js';

/**
 * Counts the changes of some subjects. What was read from the database is only cached, or given to
 * others, while the count is the same as before the read: a read that was overtaken by a change must
 * not be stored after it.
 *
 * The same problem, and another solution of it: the lease tokens of memcached in Nishtala et al.,
 * "Scaling Memcache at Facebook" (NSDI 2013), section 3.2.1.
 */
export class Generation {
  private count = 0;

  constructor(coherence: CacheCoherenceService, subjects: readonly CacheSubject[]) {
    coherence.onChange(subjects, () => {
      this.count += 1;
    });
  }

  get current(): number {
    return this.count;
  }
}

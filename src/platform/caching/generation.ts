import type { CacheSubject } from './cache-subject.js';
import type { CacheCoherenceService } from './cache-coherence.service.js';

/**
 * Counts the changes of some subjects. The result of a read is cached, or shared with other callers, only
 * while the count is the same as before the read. So a read that was under way during a change cannot
 * put the old value into a cache.
 *
 * memcached solves the same problem with lease tokens: Nishtala et al., "Scaling Memcache at Facebook"
 * (NSDI 2013), section 3.2.1.
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

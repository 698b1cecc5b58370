import { LRUCache } from 'lru-cache';
import { AREAS_OF, type Area, type Change } from './changes.js';
import { SingleFlight } from './single-flight.js';
import type { CacheCoherenceService } from './cache-coherence.service.js';

/** What was read, and whose change makes it wrong. */
export interface Filled<Value> {
  readonly value: Value;
  /** The records it shows; null for what any change of the area may concern, such as a list. */
  readonly dependsOn: readonly Change[] | null;
}

/** When a reading began: nothing that has changed since may be kept. */
export interface Beginning {
  readonly area: Area;
  readonly generation: number;
  /** Of the monotonic clock. */
  readonly at: number;
}

interface Entry<Value> extends Filled<Value> {
  readonly since: Beginning;
}

interface SizeBounds<Value> {
  readonly maxBytes: number;
  readonly sizeOf: (value: Value, key: string) => number;
}

export interface CacheOptions<Value> {
  /** Where its entries belong; `get` fills for the first. */
  readonly areas: readonly [Area, ...Area[]];
  /** The number of entries at most, or their size. */
  readonly bounds: { readonly max: number } | SizeBounds<Value>;
  /** Without the lease, an entry is good for so long after its reading began. */
  readonly graceMs?: number;
}

/**
 * A bounded map of what was read from the database, which never serves what has changed
 * (docs/adr/0007). A refusal, or that there is none, is not remembered.
 */
export class Cache<Value extends object> {
  private readonly entries: LRUCache<string, Entry<Value>>;
  private readonly keysBySubject = new Map<string, Set<string>>();
  private readonly flights: SingleFlight<Value | null>;
  private readonly graceMs: number;

  constructor(
    private readonly coherence: CacheCoherenceService,
    private readonly options: CacheOptions<Value>,
  ) {
    this.graceMs = options.graceMs ?? 0;
    this.entries = new LRUCache<string, Entry<Value>>({
      ...boundsOf(options.bounds),
      dispose: (entry, key) => this.unlink(entry, key),
    });
    this.flights = new SingleFlight(coherence, options.areas[0]);
    coherence.onChange((change) => this.forget(change));
  }

  /** What may be served from memory now. */
  peek(key: string): Value | undefined {
    const isServing = this.coherence.isServing();
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    if (!isServing && this.coherence.clock.monotonic() - entry.since.at >= this.graceMs) {
      return undefined;
    }
    if (entry.dependsOn !== null || this.isCurrent(entry.since)) return entry.value;
    this.entries.delete(key);
    return undefined;
  }

  /** What is in memory, else what is read, by one reader for all who ask meanwhile. */
  async get(key: string, read: () => Promise<Filled<Value> | null>): Promise<Value | null> {
    const known = this.peek(key);
    if (known) return known;
    return this.flights.join(key, async () => {
      const since = this.begin();
      const filled = await read();
      if (filled) this.store(key, filled, since);
      return filled?.value ?? null;
    });
  }

  /** To be called before the reading. */
  begin(area: Area = this.options.areas[0]): Beginning {
    const at = this.coherence.clock.monotonic();
    return { area, generation: this.coherence.generationOf(area), at };
  }

  /** Kept only if nothing has changed in the area since the reading began. */
  store(key: string, { value, dependsOn }: Filled<Value>, since: Beginning): void {
    if (!this.isCurrent(since)) return;
    const entry = { value, dependsOn, since };
    this.entries.set(key, entry);
    this.link(key, entry);
  }

  /** Puts another form of the same in its place, if it is still there. */
  replace(key: string, value: Value, next: Value): void {
    const entry = this.entries.get(key);
    if (entry?.value !== value) return;
    this.entries.set(key, { ...entry, value: next });
    this.link(key, entry);
  }

  private link(key: string, { dependsOn }: Entry<Value>): void {
    // It may be larger than all that may be kept.
    if (!this.entries.has(key)) return;
    for (const subject of dependsOn ?? []) {
      const name = nameOf(subject);
      const keys = this.keysBySubject.get(name) ?? new Set<string>();
      this.keysBySubject.set(name, keys.add(key));
    }
  }

  private forget(change: Change): void {
    if (change.id === null) {
      const areas = AREAS_OF[change.of];
      if (this.options.areas.some((area) => areas.includes(area))) this.entries.clear();
      return;
    }
    for (const key of this.keysBySubject.get(nameOf(change)) ?? []) this.entries.delete(key);
  }

  private isCurrent({ area, generation }: Beginning): boolean {
    return this.coherence.generationOf(area) === generation;
  }

  private unlink({ dependsOn }: Entry<Value>, key: string): void {
    for (const subject of dependsOn ?? []) {
      const name = nameOf(subject);
      const keys = this.keysBySubject.get(name);
      keys?.delete(key);
      if (keys?.size === 0) this.keysBySubject.delete(name);
    }
  }
}

function boundsOf<Value>(
  bounds: CacheOptions<Value>['bounds'],
):
  | LRUCache.OptionsMaxLimit<string, Entry<Value>, unknown>
  | LRUCache.OptionsSizeLimit<string, Entry<Value>, unknown> {
  if ('max' in bounds) return { max: bounds.max };
  const { maxBytes, sizeOf } = bounds;
  return { maxSize: maxBytes, sizeCalculation: ({ value }, key) => sizeOf(value, key) };
}

function nameOf({ of, id }: Change): string {
  return `${of} ${id ?? ''}`;
}

import { LRUCache } from 'lru-cache';
import type { CacheDependency, CacheSubject } from './cache-subject.js';
import type { CacheCoherenceService, CountedCache } from './cache-coherence.service.js';
import { Generation } from './generation.js';
import { SingleFlight } from './single-flight.js';

/** A value that was read from the database, to be stored in a cache. */
export interface Fill<Value> {
  readonly value: Value;
  /**
   * The records that the value was read from, or `subject.all` if the value depends on every record of a
   * subject, as a list does. A change of one of these records makes the entry stale.
   */
  readonly dependsOn: readonly CacheDependency[];
}

/** The moment before a read. The result is stored only if no subject of `generation` has changed since then. */
export interface ReadStart extends CountedGeneration {
  /** The moment in monotonic milliseconds. */
  readonly startedAt: number;
}

interface Entry<Value> extends Fill<Value> {
  readonly readStart: ReadStart;
  /**
   * The subjects that the value depends on as a whole (`subject.all`), each with its count of changes when
   * the value was stored.
   */
  readonly wholeSubjects: readonly CountedGeneration[];
}

/** The count that a generation had at one moment. */
interface CountedGeneration {
  readonly generation: Generation;
  readonly changeCount: number;
}

interface SizeBounds<Value> {
  readonly maxBytes: number;
  readonly sizeOf: (value: Value, key: string) => number;
}

export interface CacheOptions<Value> {
  /** Name of the cache in the metrics. */
  readonly name: string;
  /** The subjects that the values of `get` depend on. Empty if `addSubjects` is called instead. */
  readonly dependsOn: readonly CacheSubject[];
  /** The maximum number of entries, or their maximum size. */
  readonly bounds: { readonly max: number } | SizeBounds<Value>;
  /**
   * How long after its read an entry may be served while the process does not hold the lease, in
   * milliseconds. 0 if left out.
   */
  readonly graceMs?: number;
}

/**
 * A bounded LRU cache of values that were read from the database. It serves no value that a change has
 * made out of date (docs/adr/0007), except within `graceMs`. It does not store `null`, the value of a read
 * whose record does not exist.
 */
export class Cache<Value extends object> implements CountedCache {
  readonly name: string;
  hits = 0;
  misses = 0;
  private readonly entries: LRUCache<string, Entry<Value>>;
  private readonly keysByRecord = new Map<string, Set<string>>();
  /** Counts the changes of each subject. */
  private readonly generationBySubject = new Map<CacheSubject, Generation>();
  /** Counts the changes of the subjects in `dependsOn` of the options. */
  private readonly defaultGeneration: Generation;
  private readonly reads: SingleFlight<Value | null>;
  private readonly graceMs: number;

  constructor(
    private readonly coherence: CacheCoherenceService,
    { name, dependsOn, bounds, graceMs = 0 }: CacheOptions<Value>,
  ) {
    this.name = name;
    this.graceMs = graceMs;
    this.entries = new LRUCache<string, Entry<Value>>({
      ...boundsOf(bounds),
      dispose: (entry, key) => this.unlink(entry, key),
    });
    this.defaultGeneration = this.addSubjects(dependsOn);
    this.reads = new SingleFlight(coherence, dependsOn);
    coherence.caches.push(this);
  }

  /**
   * Adds subjects that entries may depend on. From now on, their changes invalidate entries.
   *
   * @returns the generation of these subjects, for `begin`
   */
  addSubjects(subjects: readonly CacheSubject[]): Generation {
    const added = subjects.filter((subject) => !this.generationBySubject.has(subject));
    for (const subject of added) {
      this.generationBySubject.set(subject, new Generation(this.coherence, [subject]));
    }
    this.coherence.onChange(added, (change) => this.invalidate(change));
    return new Generation(this.coherence, subjects);
  }

  get size(): number {
    return this.entries.size;
  }

  get bytes(): number {
    return this.entries.calculatedSize;
  }

  /** @returns the cached value; undefined if there is none that may be served now */
  peek(key: string): Value | undefined {
    const isServing = this.coherence.isServing();
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    if (
      !isServing &&
      this.coherence.clock.monotonic() - entry.readStart.startedAt >= this.graceMs
    ) {
      return undefined;
    }
    if (entry.wholeSubjects.every(isCurrent)) {
      this.hits += 1;
      return entry.value;
    }
    this.entries.delete(key);
    return undefined;
  }

  /** Returns the cached value, or reads it if there is none. Concurrent callers for the same key share a read. */
  async get(key: string, read: () => Promise<Fill<Value> | null>): Promise<Value | null> {
    const known = this.peek(key);
    if (known) return known;
    return this.reads.join(key, async () => {
      const readStart = this.begin();
      const fill = await read();
      if (fill) this.store(key, fill, readStart);
      return fill?.value ?? null;
    });
  }

  /**
   * Marks the beginning of a read. Call it before the read, and pass the result to `store` after
   * the read.
   *
   * @param keyCount the number of keys that are read, each of which counts as a miss
   */
  begin(generation = this.defaultGeneration, keyCount = 1): ReadStart {
    this.misses += keyCount;
    return {
      generation,
      changeCount: generation.current,
      startedAt: this.coherence.clock.monotonic(),
    };
  }

  /**
   * Stores what was read, unless a subject of the generation has changed since the read began, or a failover
   * may undo what was read.
   *
   * @throws Error if the value depends on a subject that was not added: a change of that subject would not
   *   remove the entry
   */
  store(key: string, { value, dependsOn }: Fill<Value>, readStart: ReadStart): void {
    const wholeSubjects: CountedGeneration[] = [];
    for (const { subject, id } of dependsOn) {
      const generation = this.generationBySubject.get(subject);
      if (!generation) {
        throw new Error(`the cache does not depend on the subject "${subject.name}"`);
      }
      if (id === null) wholeSubjects.push({ generation, changeCount: generation.current });
    }
    if (!isCurrent(readStart) || this.coherence.mayBeRolledBack(readStart.startedAt)) return;
    const entry = { value, dependsOn, readStart, wholeSubjects };
    this.entries.set(key, entry);
    this.link(key, entry);
  }

  /**
   * Replaces a value by another form of it, for example one with compressed bytes. It does nothing if the
   * value is no longer cached.
   */
  replace(key: string, value: Value, next: Value): void {
    const entry = this.entries.get(key);
    if (entry?.value !== value) return;
    this.entries.set(key, { ...entry, value: next });
    this.link(key, entry);
  }

  private link(key: string, { dependsOn }: Entry<Value>): void {
    // The LRU cache does not store an entry that alone is larger than `maxBytes`.
    if (!this.entries.has(key)) return;
    for (const dependency of dependsOn) {
      if (dependency.id === null) continue;
      const name = nameOf(dependency);
      const keys = this.keysByRecord.get(name) ?? new Set<string>();
      this.keysByRecord.set(name, keys.add(key));
    }
  }

  private unlink({ dependsOn }: Entry<Value>, key: string): void {
    for (const dependency of dependsOn) {
      const name = nameOf(dependency);
      const keys = this.keysByRecord.get(name);
      keys?.delete(key);
      if (keys?.size === 0) this.keysByRecord.delete(name);
    }
  }

  /**
   * Removes the entries that depend on the changed record, or all entries if the change has no id. An entry that
   * depends on every record of the subject stays until `peek` removes it.
   */
  private invalidate(change: CacheDependency): void {
    if (change.id === null) {
      this.entries.clear();
      return;
    }
    for (const key of this.keysByRecord.get(nameOf(change)) ?? []) this.entries.delete(key);
  }
}

function isCurrent({ generation, changeCount }: CountedGeneration): boolean {
  return generation.current === changeCount;
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

function nameOf({ subject, id }: CacheDependency): string {
  return `${subject.name} ${id ?? ''}`;
}

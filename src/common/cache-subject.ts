/** A change of one record, as MongoDB's change stream reports it. */
export interface RecordEvent {
  readonly collection: string;
  readonly operation: 'insert' | 'update' | 'replace' | 'delete';
  /** 24 hexadecimal digits. */
  readonly id: string;
  /** Paths that an update has set, removed or shortened, such as `live.tags`; else empty. */
  readonly paths: readonly string[];
}

/**
 * A filter for `$match` over MongoDB's change events of one collection, with the added field `paths`
 * (see RecordEvent).
 */
export type EventFilter = Readonly<Record<string, unknown>>;

/** A collection that cached values are read from. */
export interface CachedCollection {
  /** As MongoDB names it. */
  readonly name: string;
  /** The events that make a cached value out of date. MongoDB sends no others to the servers. */
  readonly reported: EventFilter;
}

/** What a cached value was read from, and a write changes: one record, or all (`id: null`). */
export interface CacheDependency {
  readonly subject: CacheSubject;
  /** 24 hexadecimal digits. */
  readonly id: string | null;
}

interface SubjectOptions {
  /** Whether a reported event changes the subject. Without it, every one does. */
  readonly isChangedBy?: (event: RecordEvent) => boolean;
  /** `collection`: a change of one record makes all cached values of the subject out of date. */
  readonly scope?: 'record' | 'collection';
}

/**
 * A kind of record that cached values depend on, or a part of it, such as the name of a user. Each is
 * declared once, beside the schema of its collection. The change stream follows the collection as soon
 * as one cache depends on the subject.
 */
export class CacheSubject {
  /** Stands for every record. */
  readonly all: CacheDependency = { subject: this, id: null };

  /** @param name for the keys of indexes and messages */
  constructor(
    readonly name: string,
    readonly collection: CachedCollection,
    private readonly options: SubjectOptions = {},
  ) {}

  /** @param id 24 hexadecimal digits */
  record(id: string): CacheDependency {
    return { subject: this, id };
  }

  /** @returns what the event changes of this subject; null when nothing */
  changeBy(event: RecordEvent): CacheDependency | null {
    const { isChangedBy, scope } = this.options;
    if (event.collection !== this.collection.name || isChangedBy?.(event) === false) return null;
    return scope === 'collection' ? this.all : this.record(event.id);
  }
}

/** Matches `paths` of which one is such a field, or in it. */
export function pathsWithin(fields: readonly string[]): EventFilter {
  return { paths: { $regex: `^(${fields.join('|')})(\\.|$)` } };
}

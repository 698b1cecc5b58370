import type { Types } from 'mongoose';

/** A change of one record, as MongoDB's change stream reports it. */
export interface RecordEvent {
  readonly collection: string;
  readonly operation: 'insert' | 'update' | 'replace' | 'delete';
  /** Id of the record, 24 hexadecimal digits. */
  readonly id: string;
  /** Paths that an update has changed, such as `live.tags`. Empty for other operations. */
  readonly paths: readonly string[];
}

/**
 * A filter for a `$match` stage on the change events of one collection. It may use the fields of a
 * MongoDB change event, and `paths` of RecordEvent.
 */
export type EventFilter = Readonly<Record<string, unknown>>;

/** A collection that cached values are read from. */
export interface CachedCollection {
  /** The name of the collection in MongoDB. */
  readonly name: string;
  /** Matches the events that may make a cached value out of date. MongoDB sends no other events. */
  readonly reported: EventFilter;
}

/**
 * One record of a subject, or all of them (`id: null`), that a cached value was read from or that a write
 * changes.
 */
export interface CacheDependency {
  readonly subject: CacheSubject;
  /** Id of the record, 24 hexadecimal digits; null for all records. */
  readonly id: string | null;
}

interface SubjectOptions {
  /** Whether a reported event changes the subject. If left out, every reported event does. */
  readonly isChangedBy?: (event: RecordEvent) => boolean;
  /**
   * Which values a change of one record makes stale. `record`, the default: those that depend on this record.
   * `collection`: all that depend on the subject.
   */
  readonly scope?: 'record' | 'collection';
}

/**
 * A kind of record that cached values depend on, or a part of such records, for example the names of
 * users. A feature declares its subjects in a file `*.cache.ts`. The change stream reports changes of
 * a collection only if a cache depends on one of its subjects.
 */
export class CacheSubject {
  /** The dependency on every record of the subject. */
  readonly all: CacheDependency = { subject: this, id: null };

  /** @param name unique among the subjects; used in cache keys and error messages */
  constructor(
    readonly name: string,
    readonly collection: CachedCollection,
    private readonly options: SubjectOptions = {},
  ) {}

  /** @param id an ObjectId or its 24 hexadecimal digits */
  record(id: Types.ObjectId | string): CacheDependency {
    return { subject: this, id: String(id) };
  }

  /**
   * @returns the record of the subject that the event changes, or all records; null if the event does not
   *   change the subject
   */
  changeBy(event: RecordEvent): CacheDependency | null {
    const { isChangedBy, scope } = this.options;
    if (event.collection !== this.collection.name || isChangedBy?.(event) === false) return null;
    return scope === 'collection' ? this.all : this.record(event.id);
  }
}

/** Matches events that changed one of these fields, or a path inside one of them. */
export function pathsWithin(fields: readonly string[]): EventFilter {
  return { paths: { $regex: `^(${fields.join('|')})(\\.|$)` } };
}

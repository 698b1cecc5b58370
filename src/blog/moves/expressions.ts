import { LIVE_COPY, type StoredLiveFields } from '../blog-fields.js';

/** The value as a literal, because MongoDB would read a text such as `$title` as a path. */
export function literal(value: unknown): '$$REMOVE' | { readonly $literal: unknown } {
  return value === undefined || value === null ? '$$REMOVE' : { $literal: value };
}

/** An expression for each field of `live` but the times: the path of that field below `prefix`. */
export function copyFrom(prefix: '$' | '$live.'): Record<keyof StoredLiveFields, `$${string}`> {
  const paths = LIVE_COPY.map((field) => [field, `${prefix}${field}`]);
  return Object.fromEntries(paths) as ReturnType<typeof copyFrom>;
}

/** The time of the first publication, which is kept. */
export function firstPublication(now: Date): { readonly $ifNull: readonly unknown[] } {
  return { $ifNull: ['$publishedAt', now] };
}

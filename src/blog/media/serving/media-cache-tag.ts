import type { Types } from 'mongoose';

/** The cache tag of a picture in all its sizes: an article that shows it purges it when it changes. */
export function mediaCacheTag(id: Types.ObjectId | string): string {
  return `media-${String(id)}`;
}

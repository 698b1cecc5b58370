import { Types } from 'mongoose';
import { picturesIn } from './picture-html.js';

/** The pictures of the media library that a stored text shows or links to; null for none. */
export function pictureIdsIn(html: string): Types.ObjectId[] | null {
  const ids = picturesIn(html);
  return ids.length === 0 ? null : ids.map((id) => new Types.ObjectId(id));
}

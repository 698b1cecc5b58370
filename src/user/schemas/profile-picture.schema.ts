import { Schema as MongooseSchema } from 'mongoose';
import type { ShownPicture } from '../../platform/picture/shown-picture.js';
import { SHOWN_PICTURE_PATHS } from '../../platform/picture/shown-picture.schema.js';

export const ProfilePictureSchema = new MongooseSchema<ShownPicture>(SHOWN_PICTURE_PATHS, {
  _id: false,
  strict: 'throw',
});

/** The index by the pictures that profiles show. */
export const PROFILE_PICTURE_INDEX = { 'picture.media': 1 } as const;

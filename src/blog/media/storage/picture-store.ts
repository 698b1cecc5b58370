import type { Types } from 'mongoose';

/**
 * Keeps the bytes of full pictures, each under the id of its MediaFile. All methods throw what the store throws when
 * it cannot be reached.
 */
export abstract class PictureStore {
  /** Stores the file at `path`. */
  abstract write(id: Types.ObjectId, path: string): Promise<void>;

  /** Writes the picture to a new file at `path`. @throws Error when the store has none of this id */
  abstract read(id: Types.ObjectId, path: string): Promise<void>;

  /** Removes the picture, also one that was stored in part. The call may be repeated. */
  abstract remove(id: Types.ObjectId): Promise<void>;

  /** Whether the whole picture is in the store. */
  abstract has(id: Types.ObjectId): Promise<boolean>;

  /** Ends what the store has opened of its own. */
  async close(): Promise<void> {}
}

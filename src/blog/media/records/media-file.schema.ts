import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { Types } from 'mongoose';
import { STRICT } from '../../../platform/database/strict-schema.js';

/**
 * The bytes of a picture, which lie in the PictureStore under the same id. It is stored before the bytes, so that
 * what is left of an upload that was killed is found.
 *
 * Each upload stores a file of its own, whoever has the same one: neither its answer nor its time tells. Later
 * MediaJob lets records of the same bytes share one file.
 */
@Schema({ collection: 'media_files', ...STRICT })
export class MediaFile {
  readonly _id!: Types.ObjectId;

  /** SHA-256 of the picture as it was written, in hex. */
  @Prop({ type: String, required: true })
  readonly digest!: string;

  /** Whether all of its bytes are in the store. */
  @Prop({ type: Boolean })
  readonly isStored?: true;

  /** When MediaJob looks at the file: after its upload, and after a record of it was removed. */
  @Prop({ type: Date })
  readonly checkAt?: Date;

  @Prop({ type: Date, required: true })
  readonly createdAt!: Date;
}

export const MediaFileSchema = SchemaFactory.createForClass(MediaFile);

// Finds other files with the same bytes.
MediaFileSchema.index({ digest: 1, _id: 1 });
// Serves MediaJob.
MediaFileSchema.index({ checkAt: 1 }, { partialFilterExpression: { checkAt: { $exists: true } } });

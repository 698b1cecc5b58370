import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { STRICT } from '../../../platform/database/strict-schema.js';
import type { Focus } from '../../../platform/picture/focus.decorator.js';
import { PICTURE_FORMATS, type PictureFormat } from '../../../platform/picture/picture-formats.js';

/** A picture of one owner. Its bytes, which may be shared with other records, are those of `file`. */
@Schema({ collection: 'media', ...STRICT })
export class Media {
  readonly _id!: Types.ObjectId;

  /** The user who has uploaded it. */
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly owner!: Types.ObjectId;

  /** The id of its MediaFile. */
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly file!: Types.ObjectId;

  /** Its name in addresses, without the extension. */
  @Prop({ type: String, required: true })
  readonly name!: string;

  @Prop({ type: String, enum: PICTURE_FORMATS, required: true })
  readonly format!: PictureFormat;

  /** Whether it moves: it then has one size only. */
  @Prop({ type: Boolean })
  readonly isAnimated?: true;

  /** Width in pixels. */
  @Prop({ type: Number, required: true })
  readonly width!: number;

  /** Height in pixels, of one frame. */
  @Prop({ type: Number, required: true })
  readonly height!: number;

  /** Size of the full picture in bytes. */
  @Prop({ type: Number, required: true })
  readonly bytes!: number;

  /** A blurred form of it in about 30 bytes, in base64 (thumbhash). */
  @Prop({ type: String, required: true })
  readonly thumbhash!: string;

  @Prop({ type: String, default: '' })
  readonly alt!: string;

  @Prop({ type: String })
  readonly caption?: string;

  @Prop({ type: String })
  readonly credit?: string;

  @Prop({ type: { x: Number, y: Number, _id: false } })
  readonly focus?: Focus;

  /** The words by which its owner finds it. */
  @Prop({ type: [String], required: true })
  readonly words!: readonly string[];

  /** Whether it is kept although nothing uses it. */
  @Prop({ type: Boolean })
  readonly pinned?: true;

  /** Since when nothing is known to use it. Missing while an article or a profile uses it. */
  @Prop({ type: Date })
  readonly unusedSince?: Date;

  /** True once an article that shows it was submitted: editors find it from then on. */
  @Prop({ type: Boolean })
  readonly isShared?: true;

  /** True once the account of its owner is deleted: it stays while articles use it. */
  @Prop({ type: Boolean })
  readonly ownerLeft?: true;

  /** When its use is looked up next. */
  @Prop({ type: Date, required: true })
  readonly checkAt!: Date;

  @Prop({ type: Date, required: true })
  readonly createdAt!: Date;

  @Prop({ type: Date, required: true })
  readonly updatedAt!: Date;

  /** Hash of the request and its `Idempotency-Key`, if it sent one. */
  @Prop({ type: String })
  readonly requestHash?: string;
}

export const MediaSchema = SchemaFactory.createForClass(Media);

/** The index from which alone the usage is summed. */
export const MEDIA_USAGE_INDEX = { owner: 1, bytes: 1, unusedSince: 1 } as const;

// Serves the library of an owner, newest first.
MediaSchema.index({ owner: 1, _id: -1 });
// Serves a search of an owner.
MediaSchema.index({ owner: 1, words: 1, _id: -1 });
// Serves the list of what an owner does not use.
MediaSchema.index(
  { owner: 1, unusedSince: 1, _id: -1 },
  { partialFilterExpression: { unusedSince: { $exists: true } } },
);
// Serves the sums of what pictures take.
MediaSchema.index(MEDIA_USAGE_INDEX);
// Serves the lists of editors.
MediaSchema.index({ isShared: 1, _id: -1 }, { partialFilterExpression: { isShared: true } });
// Serves the job that looks up uses.
MediaSchema.index({ checkAt: 1 });
// Finds the records of a file, before its bytes are removed.
MediaSchema.index({ file: 1 });

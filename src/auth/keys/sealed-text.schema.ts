import { Schema } from 'mongoose';
import type { SealedText } from './secret-box.service.js';

/** A text that SecretBox has sealed, as a part of a record. */
export const SealedTextSchema = new Schema<SealedText>(
  {
    kid: { type: String, required: true },
    iv: { type: String, required: true },
    data: { type: String, required: true },
    tag: { type: String, required: true },
  },
  { _id: false, strict: 'throw' },
);

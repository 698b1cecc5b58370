import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { STRICT } from '../../../../platform/database/strict-schema.js';

/**
 * A word as live articles spell it, or once did, and its stem. The beginning of a word is looked up here:
 * MongoDB cannot list the values of an index of arrays. A spelling names no article.
 */
@Schema({ collection: 'search_spellings', ...STRICT })
export class Spelling {
  /** The spelling, as `wordsIn` folds it. */
  @Prop({ type: String, required: true })
  readonly _id!: string;

  @Prop({ type: String, required: true })
  readonly stem!: string;
}

export const SpellingSchema = SchemaFactory.createForClass(Spelling);

import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { STRICT } from '../../../../platform/database/strict-schema.js';

/**
 * A word as live articles spell it or once spelled it, and its stem. A search looks up the
 * beginning of a word here, because MongoDB cannot list the values of an index on an array. A
 * spelling does not say which articles have it.
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

import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { STRICT } from '../../../../platform/database/strict-schema.js';

/**
 * A word as live articles spell it, and its stem. A search looks up the beginning of a word here,
 * because MongoDB cannot list the values of an index on an array. A spelling does not say which
 * articles have it. SpellingPruning removes it when none has it any more.
 */
@Schema({ collection: 'search_spellings', ...STRICT })
export class Spelling {
  /** The spelling, as `wordsIn` folds it. */
  @Prop({ type: String, required: true })
  readonly _id!: string;

  @Prop({ type: String, required: true })
  readonly stem!: string;

  /** When SpellingPruning found that no live article has the spelling; missing while one has it. */
  @Prop({ type: Date })
  readonly unusedSince?: Date;
}

export const SpellingSchema = SchemaFactory.createForClass(Spelling);

import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Types } from 'mongoose';
import { TagFilter } from '../../core/dto/selected-tag.decorator.js';
import { ObjectIdText } from '../../../platform/http/object-id/object-id.param.js';
import { PageQuery } from '../../../platform/http/pagination/page-query.dto.js';
import { Check } from '../../../platform/http/validation/check.decorators.js';
import { DateTime } from '../../../platform/http/validation/date-time/date-time.decorator.js';
import { textProblem } from '../../../platform/http/validation/text.decorator.js';
import { queryWords, QUERY_WORDS_MAX } from './search-terms.js';

const LENGTH_MAX = 200;

const QueryField = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: String,
      minLength: 1,
      maxLength: LENGTH_MAX,
      example: 'analytical engine',
      description:
        `What to search for, at most ${QUERY_WORDS_MAX} words. With three letters or more, the last word ` +
        'may be the beginning of a word. Case, accents and endings are ignored.',
    }),
    Check((q) => textProblem(q, { min: 1, max: LENGTH_MAX }) ?? wordsProblem(String(q))),
  );

function wordsProblem(q: string): string | null {
  const { words } = queryWords(q);
  return words.length <= QUERY_WORDS_MAX ? null : `must have at most ${QUERY_WORDS_MAX} words`;
}

/** The query of a search. */
export class SearchQuery extends PageQuery {
  @QueryField()
  readonly q!: string;

  @TagFilter()
  readonly tag?: string;

  @ObjectIdText({ optional: true, description: 'Only articles of this author' })
  readonly author?: Types.ObjectId;

  @DateTime({ description: 'First published at this time or later', nullable: false })
  readonly from?: Date;

  @DateTime({ description: 'First published before this time', nullable: false })
  readonly to?: Date;
}

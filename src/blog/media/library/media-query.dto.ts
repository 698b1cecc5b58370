import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { ObjectIdText } from '../../../platform/http/object-id/object-id.param.js';
import { WholeNumber } from '../../../platform/http/pagination/page-query.dto.js';
import { Check, Parse } from '../../../platform/http/validation/check.decorators.js';
import { Optional, Text } from '../../../platform/http/validation/text.decorator.js';

const FLAGS: Readonly<Record<string, boolean>> = { true: true, false: false };

/** Declares `true` or `false` in a query. */
const QueryFlag = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: Boolean, default: false, example: true, description }),
    Parse((text) => FLAGS[text] ?? text),
    Optional(),
    Check((value) => (typeof value === 'boolean' ? null : 'must be true or false')),
  );

/** The query that selects pictures. */
export class MediaQuery {
  @QueryFlag('Only your own; always so for whoever is no EDITOR')
  readonly mine?: boolean;

  @QueryFlag('Only your own that no article and no profile uses')
  readonly unused?: boolean;

  @Text({
    min: 1,
    max: 100,
    example: 'engine',
    description: 'Only your own with all of these words in name, `alt`, `caption` or `credit`',
    optional: true,
  })
  @Check((value, { unused }: { readonly unused?: boolean }) =>
    value !== undefined && unused === true ? 'must not stand beside unused' : null,
  )
  readonly q?: string;

  @ObjectIdText({ optional: true, description: 'From the `Link` header of the previous page' })
  readonly cursor?: Types.ObjectId;

  @WholeNumber(100, 20)
  readonly limit: number = 20;
}

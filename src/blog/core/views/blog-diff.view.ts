import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { CoverView, toCoverView } from '../../media/cover/cover.view.js';
import type { LinksOf } from '../../../platform/picture/picture-address.js';
import { BLOG_FIELDS } from '../blog-fields.js';
import { COMPARED_FIELDS, type FieldChange } from '../../revisions/diff/diff-fields.js';
import { RUN_KINDS, type DiffBlock, type DiffRun } from '../../revisions/diff/diff-texts.js';

/** The schema of a field's value. */
const FIELD_VALUE = {
  oneOf: [
    { type: 'string' },
    { type: 'array', items: { type: 'string' } },
    { $ref: getSchemaPath(CoverView) },
  ],
};

type FieldValue = string | readonly string[] | CoverView;

@ApiExtraModels(CoverView)
class FieldChangeView {
  @ApiProperty({ enum: COMPARED_FIELDS, example: 'title' })
  readonly field!: FieldChange['field'];

  @ApiPropertyOptional({
    ...FIELD_VALUE,
    description: 'A list for tags, an object for the cover; absent if it was added',
    example: 'Notes on the Engine',
  })
  readonly before?: FieldValue;

  @ApiPropertyOptional({
    ...FIELD_VALUE,
    description: 'A list for tags, an object for the cover; absent if it was removed',
    example: BLOG_FIELDS.title.example,
  })
  readonly after?: FieldValue;
}

class DiffRunView implements DiffRun {
  @ApiProperty({ enum: RUN_KINDS, example: 'added' })
  readonly kind!: DiffRun['kind'];

  @ApiProperty({
    minLength: 1,
    example: 'It weaves ',
    description:
      'Plain text. An image reads `[image: alt text, URL]`, the target of a link `[link: URL]` ' +
      'after its text.',
  })
  readonly text!: string;
}

class DiffBlockView implements DiffBlock {
  @ApiProperty({
    type: [DiffRunView],
    description: 'Without the added runs, the older block; without the removed runs, the newer.',
    example: [
      { kind: 'same', text: 'It weaves' },
      { kind: 'removed', text: ' flowers' },
      { kind: 'added', text: ' algebraic patterns' },
      { kind: 'same', text: '.' },
    ],
  })
  readonly runs!: readonly DiffRunView[];
}

/** How one revision of a blog differs from another. */
export class BlogDiffView {
  @ApiProperty({ type: [FieldChangeView], description: 'The changed fields, without the text.' })
  readonly fields!: readonly FieldChangeView[];

  @ApiProperty({
    type: [DiffBlockView],
    description:
      'The visible text of both revisions, with unchanged blocks. A block is a paragraph, heading, ' +
      'list item, table cell and so on. Formatting is not compared.',
  })
  readonly text!: readonly DiffBlockView[];
}

export function toBlogDiffView(
  fields: readonly FieldChange[],
  text: readonly DiffBlock[],
  linksOf: LinksOf,
): BlogDiffView {
  const shown = (value: Required<FieldChange>['before']): FieldValue =>
    typeof value === 'object' && 'media' in value ? toCoverView(value, linksOf) : value;
  const changes = fields.map(({ field, before, after }) => ({
    field,
    ...(before === undefined ? {} : { before: shown(before) }),
    ...(after === undefined ? {} : { after: shown(after) }),
  }));
  return { fields: changes, text };
}

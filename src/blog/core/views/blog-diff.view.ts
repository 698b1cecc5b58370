import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BLOG_FIELDS } from '../blog-fields.js';
import { COMPARED_FIELDS, type FieldChange } from '../../revisions/diff/diff-fields.js';
import { RUN_KINDS, type DiffBlock, type DiffRun } from '../../revisions/diff/diff-texts.js';

/** The schema of a field's value: the tags are a list, all other fields are texts. */
const FIELD_VALUE = { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };

class FieldChangeView implements FieldChange {
  @ApiProperty({ enum: COMPARED_FIELDS, example: 'title' })
  readonly field!: FieldChange['field'];

  @ApiPropertyOptional({
    ...FIELD_VALUE,
    description: 'A list for tags, else a text; absent if the field was added.',
    example: 'Notes on the Engine',
  })
  readonly before?: string | readonly string[];

  @ApiPropertyOptional({
    ...FIELD_VALUE,
    description: 'A list for tags, else a text; absent if the field was removed.',
    example: BLOG_FIELDS.title.example,
  })
  readonly after?: string | readonly string[];
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
): BlogDiffView {
  return { fields, text };
}

import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ID, TIME } from '../../platform/http/openapi/properties.js';
import { AuthorView } from '../../user/views/author.view.js';
import { NOTICE_KIND_NAMES, type NoticeKind } from './notice-kinds.js';

/** The article of a notice. */
export class NoticeBlogView {
  @ApiProperty(ID)
  readonly _id!: string;

  @ApiPropertyOptional({
    example: 'Notes on the Engine',
    description: 'Missing while you may read comments on the article only',
  })
  readonly title?: string;

  @ApiPropertyOptional({ example: 'notes-on-the-engine' })
  readonly slug?: string;
}

/** What has happened that concerns the caller. */
export class NoticeView {
  @ApiProperty({
    type: 'integer',
    example: 41,
    description: 'Its number: a later notice has a higher one',
  })
  readonly seq!: number;

  @ApiProperty({ enum: NOTICE_KIND_NAMES, example: 'returned' })
  readonly kind!: NoticeKind;

  @ApiProperty(TIME)
  readonly at!: Date;

  @ApiProperty({ example: false, description: 'Whether you have marked it as read' })
  readonly read!: boolean;

  @ApiProperty({
    example: 'Charles Babbage has returned: Notes on the Engine',
    description: 'The notice in words, as plain text in the language of the site',
  })
  readonly text!: string;

  @ApiPropertyOptional({
    type: AuthorView,
    description: 'Who did it; missing for the server itself',
  })
  readonly by?: AuthorView;

  @ApiPropertyOptional({ type: NoticeBlogView, description: 'The article' })
  readonly blog?: NoticeBlogView;

  @ApiPropertyOptional({ ...ID, description: 'The comment' })
  readonly comment?: string;
}

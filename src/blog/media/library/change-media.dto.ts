import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { Flag } from '../../../platform/http/validation/flag.decorator.js';
import { Text } from '../../../platform/http/validation/text.decorator.js';
import { FocusField, type Focus } from '../../../platform/picture/focus.decorator.js';
import { ALT, CAPTION, CREDIT } from './upload-media.dto.js';

/** What changes of a picture in the library. A field that is left out keeps its value; `null` removes it. */
export class ChangeMediaDto {
  @Text({ ...ALT, optional: true })
  readonly alt?: string;

  @Text({ ...CAPTION, optional: true })
  @ApiPropertyOptional({ nullable: true })
  @IsOptional()
  readonly caption?: string | null;

  @Text({ ...CREDIT, optional: true })
  @ApiPropertyOptional({ nullable: true })
  @IsOptional()
  readonly credit?: string | null;

  @FocusField({ nullable: true })
  readonly focus?: Focus | null;

  @Flag({ optional: true })
  readonly pinned?: boolean;
}

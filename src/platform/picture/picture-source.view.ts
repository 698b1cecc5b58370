import { ApiProperty } from '@nestjs/swagger';

/** The sizes of a picture in one format. */
export class PictureSourceView {
  @ApiProperty({ example: 'image/webp' })
  readonly type!: string;

  @ApiProperty({ example: 'https://press.example/320.webp 320w' })
  readonly srcset!: string;
}

import { ApiProperty } from '@nestjs/swagger';

const ADDRESS = 'https://press.example/media/66f1a2b3c4d5e6f708192a3b';

/** The sizes of a picture in one format. */
export class PictureSourceView {
  @ApiProperty({ example: 'image/webp' })
  readonly type!: string;

  @ApiProperty({ example: `${ADDRESS}/320.webp 320w` })
  readonly srcset!: string;
}

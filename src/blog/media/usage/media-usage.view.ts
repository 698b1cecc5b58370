import { ApiProperty } from '@nestjs/swagger';
import { AuthorView } from '../../../user/views/author.view.js';

const NUMBER = { type: 'integer', example: 42 } as const;

/** What the pictures of one account take. */
export class OwnerUsageView {
  @ApiProperty({ type: AuthorView })
  readonly user!: AuthorView;

  @ApiProperty(NUMBER)
  readonly pictures!: number;

  @ApiProperty(NUMBER)
  readonly bytes!: number;

  @ApiProperty(NUMBER)
  readonly unused!: number;
}

/** How much the pictures of the media library take. */
export class MediaUsageView {
  @ApiProperty(NUMBER)
  readonly pictures!: number;

  @ApiProperty(NUMBER)
  readonly bytes!: number;

  @ApiProperty(NUMBER)
  readonly unused!: number;

  @ApiProperty({ ...NUMBER, description: 'Bytes of the unused' })
  readonly unusedBytes!: number;

  @ApiProperty({ ...NUMBER, description: 'Equal pictures share one' })
  readonly files!: number;

  @ApiProperty({ ...NUMBER, description: 'Bytes of the folder of this machine' })
  readonly cacheBytes!: number;

  @ApiProperty({ ...NUMBER, description: 'What it may take' })
  readonly cacheMaxBytes!: number;

  @ApiProperty({ type: [OwnerUsageView], description: 'The 20 that take most' })
  readonly owners!: readonly OwnerUsageView[];
}

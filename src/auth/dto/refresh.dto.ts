import { Expose, Transform } from 'class-transformer';
import { Text } from '../../common/validation/text.decorator.js';

const TOKEN = { min: 1, max: 500, example: 'v1.q3X…' };

interface Spellings {
  readonly refresh_token?: unknown;
  readonly refreshToken?: unknown;
}

/** One spelling is enough; `refresh_token` is the interface's and wins. */
export class RefreshDto {
  // Or the transformation would not run when only the other spelling is there.
  @Expose()
  @Transform(({ obj }: { obj: Spellings }) => obj.refresh_token ?? obj.refreshToken)
  @Text(TOKEN)
  readonly refresh_token!: string;

  @Text({ ...TOKEN, optional: true, description: 'Accepted instead of refresh_token' })
  readonly refreshToken?: string;
}

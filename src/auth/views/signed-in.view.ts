import { ApiProperty } from '@nestjs/swagger';
import { UserView } from '../../user/views/user.view.js';

export class TokensView {
  @ApiProperty({
    description: 'JWT (RS256, typ at+jwt)',
    pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$',
    example: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiI2NmYxIn0.c2lnbmF0dXJl',
  })
  readonly accessToken!: string;

  @ApiProperty({ description: 'Opaque; valid once', maxLength: 500, example: 'v1.q3X…' })
  readonly refreshToken!: string;
}

/** The response to sign-up and sign-in. */
export class SignedInView {
  @ApiProperty({ type: UserView })
  readonly user!: UserView;

  @ApiProperty({ type: TokensView })
  readonly tokens!: TokensView;
}

import { ApiProperty } from '@nestjs/swagger';

/** A public key of access tokens (RFC 7517). */
export class JwkView {
  @ApiProperty({ description: 'The kind of key', pattern: '^RSA$', example: 'RSA' })
  readonly kty!: string;

  @ApiProperty({ description: 'The modulus, in base64url', example: 'wYf3kQ8' })
  readonly n!: string;

  @ApiProperty({ description: 'The exponent, in base64url', example: 'AQAB' })
  readonly e!: string;

  @ApiProperty({ description: 'The id, as in the header of a token', example: 'q3X0bUo' })
  readonly kid!: string;

  @ApiProperty({ description: 'The use: signatures', pattern: '^sig$', example: 'sig' })
  readonly use!: string;

  @ApiProperty({ description: 'The algorithm', pattern: '^RS256$', example: 'RS256' })
  readonly alg!: string;
}

export class JwkSetView {
  @ApiProperty({
    type: [JwkView],
    description: 'The present key, and earlier keys that still verify',
  })
  readonly keys!: readonly JwkView[];
}

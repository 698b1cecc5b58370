import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ID, TIME } from '../../platform/http/openapi/properties.js';
import type { Factor } from './factor.schema.js';

const KINDS = ['totp', 'passkey'] as const;

/** A second factor of the caller. */
export class FactorView {
  @ApiProperty(ID)
  readonly _id!: string;

  @ApiProperty({ enum: KINDS, example: 'passkey', description: 'An app with codes, or a passkey' })
  readonly kind!: (typeof KINDS)[number];

  @ApiProperty({ example: 'My phone', description: 'The name that you have given it' })
  readonly name!: string;

  @ApiProperty(TIME)
  readonly createdAt!: Date;

  @ApiPropertyOptional({ ...TIME, description: 'When you last signed in with it' })
  readonly lastUsedAt?: Date;
}

/** The second factors of the caller. */
export class FactorsView {
  @ApiProperty({ type: [FactorView], description: 'Apps with codes and passkeys' })
  readonly factors!: readonly FactorView[];

  @ApiProperty({
    type: 'integer',
    example: 10,
    description: 'How many recovery codes are left; each works once',
  })
  readonly recoveryCodesLeft!: number;

  @ApiProperty({ example: false, description: 'Whether your roles demand a second factor' })
  readonly demanded!: boolean;
}

/** What an app for codes needs. */
export class TotpView {
  @ApiProperty({
    example: 'otpauth://totp/Example:ada%40example.org?issuer=Example&secret=JBSWY3DPEHPK3PXP',
    description: 'The URI to show as a QR code',
  })
  readonly uri!: string;

  @ApiProperty({
    example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    description: 'The secret in base32, for typing; only this answer shows it',
  })
  readonly secret!: string;
}

/** The answer to a new factor or to new recovery codes. */
export class RecoveryCodesView {
  @ApiProperty({
    type: [String],
    example: ['k3pq-7xva-m2ds-9tfe-h4wn-cz6r'],
    description:
      'Codes that each sign in once instead of the factor; only this answer shows them. Empty if the account has some already',
  })
  readonly recoveryCodes!: readonly string[];
}

/** @param factor no list of recovery codes */
export function toFactorView({ _id, kind, name, createdAt, lastUsedAt }: Factor): FactorView {
  return {
    _id: _id.toHexString(),
    kind: kind === 'passkey' ? 'passkey' : 'totp',
    name: name ?? '',
    createdAt,
    ...(lastUsedAt ? { lastUsedAt } : {}),
  };
}

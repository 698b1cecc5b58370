import { ApiProperty } from '@nestjs/swagger';

/** What a browser needs to make a passkey, or to sign in with one. */
export class PasskeyOptionsView {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: {
      challenge: '3mQ9v0cXw2R7kF1tYb5nLz8sJd4hGp6uEaIoWqTxMvA',
      userVerification: 'required',
    },
    description:
      'For `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`; valid once, for five minutes',
  })
  readonly options!: object;
}

import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../../common/access/access.decorator.js';
import { Endpoint } from '../../common/openapi/endpoint.decorator.js';
import { SigningKeys } from './signing-keys.js';

@ApiTags('operators')
@Controller('.well-known')
export class JwksController {
  constructor(private readonly keys: SigningKeys) {}

  @Public({ apiKey: false })
  @Get('jwks.json')
  @Endpoint({
    summary: 'Public keys of the access tokens (RFC 7517)',
    raw: {
      type: 'object',
      additionalProperties: false,
      required: ['keys'],
      properties: {
        keys: {
          type: 'array',
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['kty', 'n', 'e', 'kid', 'use', 'alg'],
            properties: {
              kty: { type: 'string', enum: ['RSA'] },
              n: { type: 'string', example: 'wYf3kQ8' },
              e: { type: 'string', example: 'AQAB' },
              kid: { type: 'string', example: 'q3X0bUo' },
              use: { type: 'string', enum: ['sig'] },
              alg: { type: 'string', enum: ['RS256'] },
            },
          },
        },
      },
    },
  })
  jwks(): ReturnType<SigningKeys['toJwks']> {
    return this.keys.toJwks();
  }
}

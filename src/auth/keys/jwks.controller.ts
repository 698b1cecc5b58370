import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../../platform/http/access/access.decorator.js';
import { Endpoint } from '../../platform/http/openapi/endpoint.decorator.js';
import { JwkSetView } from '../views/jwk-set.view.js';
import { SigningKeys } from './signing-keys.js';

@ApiTags('operators')
@Controller('.well-known')
export class JwksController {
  constructor(private readonly keys: SigningKeys) {}

  @Public({ apiKey: false })
  @Get('jwks.json')
  @Endpoint({
    id: 'getSigningKeys',
    summary: 'Public keys of the access tokens (RFC 7517)',
    raw: JwkSetView,
  })
  jwks(): ReturnType<SigningKeys['toJwks']> {
    return this.keys.toJwks();
  }
}

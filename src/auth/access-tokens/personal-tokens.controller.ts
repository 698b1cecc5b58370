import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OpenedBy, SessionOnly } from '../../platform/http/access/access.decorator.js';
import { CurrentUser, type Caller } from '../../platform/http/access/current-user.decorator.js';
import { SecretGoneError } from '../../platform/http/errors/api.errors.js';
import { ObjectIdParam } from '../../platform/http/object-id/object-id.param.js';
import { Endpoint } from '../../platform/http/openapi/endpoint.decorator.js';
import { RequestedCreation } from '../../platform/idempotency/creation.decorator.js';
import type { Creation } from '../../platform/idempotency/creation.js';
import { TokenNotFoundError, TooManyTokensError } from '../auth.errors.js';
import { CreateTokenDto } from './create-token.dto.js';
import { PersonalTokenService } from './personal-token.service.js';
import { CreatedTokenView, PersonalTokenView } from './personal-token.view.js';

@ApiTags('auth')
@OpenedBy('account', 'desk')
@SessionOnly()
@Controller('auth/tokens')
export class PersonalTokensController {
  constructor(private readonly tokens: PersonalTokenService) {}

  @Get()
  @Endpoint({
    id: 'listTokens',
    summary: 'Your personal access tokens, newest first',
    data: [PersonalTokenView],
  })
  list(@CurrentUser() { userId }: Caller): Promise<PersonalTokenView[]> {
    return this.tokens.list(userId);
  }

  @Post()
  @Endpoint({
    id: 'createToken',
    summary: 'Create a personal access token, which only this response shows',
    description:
      'A program sends it as `Authorization: Bearer prt_…`, and acts for you with the roles of the token that you ' +
      'have at that time. It cannot change your password, end sessions, or make tokens and API keys.',
    data: CreatedTokenView,
    errors: [TooManyTokensError, TokenNotFoundError, SecretGoneError],
  })
  create(
    @CurrentUser() caller: Caller,
    @Body() dto: CreateTokenDto,
    @RequestedCreation() creation: Creation | null,
  ): Promise<CreatedTokenView> {
    return this.tokens.create(caller, dto, creation);
  }

  @Delete('id/:id')
  @Endpoint({
    id: 'deleteToken',
    summary: 'Delete a personal access token, which stops working at once',
    errors: [TokenNotFoundError],
  })
  remove(@CurrentUser() caller: Caller, @Param() { id }: ObjectIdParam): Promise<void> {
    return this.tokens.remove(caller, id);
  }
}

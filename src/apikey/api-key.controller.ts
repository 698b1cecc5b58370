import { Body, Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireRole, SessionOnly } from '../platform/http/access/access.decorator.js';
import { SecretGoneError } from '../platform/http/errors/api.errors.js';
import { CurrentUser, type Caller } from '../platform/http/access/current-user.decorator.js';
import { ObjectIdParam } from '../platform/http/object-id/object-id.param.js';
import { Endpoint } from '../platform/http/openapi/endpoint.decorator.js';
import { RequestedCreation } from '../platform/idempotency/creation.decorator.js';
import type { Creation } from '../platform/idempotency/creation.js';
import { ApiKeyNotFoundError } from './api-key.errors.js';
import { ApiKeyService } from './api-key.service.js';
import { ChangeApiKeyDto } from './dto/change-api-key.dto.js';
import { CreateApiKeyDto } from './dto/create-api-key.dto.js';
import { ApiKeyView, CreatedApiKeyView } from './views/api-key.view.js';

@ApiTags('admin')
@RequireRole('ADMIN')
@Controller('admin/apikeys')
export class ApiKeyController {
  constructor(private readonly apiKeys: ApiKeyService) {}

  @Get()
  @Endpoint({ id: 'listApiKeys', summary: 'API keys, newest first', data: [ApiKeyView] })
  list(): Promise<ApiKeyView[]> {
    return this.apiKeys.list();
  }

  @SessionOnly()
  @Post()
  @Endpoint({
    id: 'createApiKey',
    summary: 'Create an API key, which only this response shows',
    data: CreatedApiKeyView,
    errors: [ApiKeyNotFoundError, SecretGoneError],
  })
  create(
    @Body() dto: CreateApiKeyDto,
    @CurrentUser() caller: Caller,
    @RequestedCreation() creation: Creation | null,
  ): Promise<CreatedApiKeyView> {
    return this.apiKeys.create(dto, caller, creation);
  }

  @SessionOnly()
  @Put('id/:id')
  @Endpoint({
    id: 'updateApiKey',
    summary: 'Change an API key',
    data: ApiKeyView,
    errors: [ApiKeyNotFoundError],
  })
  change(
    @CurrentUser() caller: Caller,
    @Body() dto: ChangeApiKeyDto,
    @Param() { id }: ObjectIdParam,
  ): Promise<ApiKeyView> {
    return this.apiKeys.change(id, dto, caller);
  }

  @SessionOnly()
  @Delete('id/:id')
  @Endpoint({ id: 'deleteApiKey', summary: 'Delete an API key', errors: [ApiKeyNotFoundError] })
  remove(@CurrentUser() caller: Caller, @Param() { id }: ObjectIdParam): Promise<void> {
    return this.apiKeys.remove(id, caller);
  }
}

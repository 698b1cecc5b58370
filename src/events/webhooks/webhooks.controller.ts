import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireRole } from '../../platform/http/access/access.decorator.js';
import { SecretGoneError } from '../../platform/http/errors/api.errors.js';
import { CurrentUser, type Caller } from '../../platform/http/access/current-user.decorator.js';
import { ObjectIdParam } from '../../platform/http/object-id/object-id.param.js';
import { Endpoint } from '../../platform/http/openapi/endpoint.decorator.js';
import { PageQuery } from '../../platform/http/pagination/page-query.dto.js';
import type { Creation } from '../../platform/idempotency/creation.js';
import { RequestedCreation } from '../../platform/idempotency/creation.decorator.js';
import { DeliveryService } from './deliveries/delivery.service.js';
import { ReplayDto } from './dto/replay.dto.js';
import { ChangeWebhookDto, CreateWebhookDto } from './dto/webhook.dto.js';
import { AttemptView, DeliveryView, ReplayView } from './views/delivery.view.js';
import { WebhookView, WebhookWithSecretView } from './views/webhook.view.js';
import { WebhookService } from './webhook.service.js';
import { TooManyWebhooksError, WebhookNotFoundError } from './webhooks.errors.js';

@ApiTags('admin')
@RequireRole('ADMIN')
@Controller('admin/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhookService,
    private readonly deliveries: DeliveryService,
  ) {}

  @Post()
  @Endpoint({
    id: 'createWebhook',
    summary: 'Create a webhook; only this answer shows its secret',
    data: WebhookWithSecretView,
    errors: [TooManyWebhooksError, WebhookNotFoundError, SecretGoneError],
  })
  create(
    @CurrentUser() caller: Caller,
    @Body() dto: CreateWebhookDto,
    @RequestedCreation() creation: Creation | null,
  ): Promise<WebhookWithSecretView> {
    return this.webhooks.create(dto, caller, creation);
  }

  @Get()
  @Endpoint({ id: 'listWebhooks', summary: 'Webhooks, newest first', data: [WebhookView] })
  list(): Promise<WebhookView[]> {
    return this.webhooks.list();
  }

  @Get('id/:id')
  @Endpoint({
    id: 'getWebhook',
    summary: 'One webhook',
    data: WebhookView,
    errors: [WebhookNotFoundError],
  })
  get(@Param() { id }: ObjectIdParam): Promise<WebhookView> {
    return this.webhooks.get(id);
  }

  @Put('id/:id')
  @Endpoint({
    id: 'updateWebhook',
    summary: 'Change a webhook, or switch it on or off',
    description:
      'A webhook that is switched on again is called for events from then on, and for deliveries that ' +
      'are still waiting.',
    data: WebhookView,
    errors: [WebhookNotFoundError],
  })
  change(
    @CurrentUser() caller: Caller,
    @Param() { id }: ObjectIdParam,
    @Body() dto: ChangeWebhookDto,
  ): Promise<WebhookView> {
    return this.webhooks.change(id, dto, caller);
  }

  @Delete('id/:id')
  @Endpoint({
    id: 'deleteWebhook',
    summary: 'Delete a webhook and its deliveries',
    errors: [WebhookNotFoundError],
  })
  remove(@CurrentUser() caller: Caller, @Param() { id }: ObjectIdParam): Promise<void> {
    return this.webhooks.remove(id, caller);
  }

  @Post('id/:id/rotate')
  @Endpoint({
    id: 'rotateWebhookSecret',
    summary: 'Make a new secret; only this answer shows it',
    description:
      'For 24 hours, calls are signed with the former secret as well, unless you rotate the secret again.',
    data: WebhookWithSecretView,
    errors: [WebhookNotFoundError],
  })
  rotate(
    @CurrentUser() caller: Caller,
    @Param() { id }: ObjectIdParam,
  ): Promise<WebhookWithSecretView> {
    return this.webhooks.rotate(id, caller);
  }

  @Post('id/:id/test')
  @Endpoint({
    id: 'testWebhook',
    summary: 'Call a webhook once with the type `webhook.test`, and return the outcome',
    data: AttemptView,
    errors: [WebhookNotFoundError],
  })
  test(@Param() { id }: ObjectIdParam): Promise<AttemptView> {
    return this.deliveries.test(id);
  }

  @Post('id/:id/replay')
  @Endpoint({
    id: 'replayEvents',
    summary: 'Send one event again, or all since a time',
    description: 'Only events that the log still has, and that the webhook wants.',
    data: ReplayView,
    errors: [WebhookNotFoundError],
  })
  replay(@Param() { id }: ObjectIdParam, @Body() dto: ReplayDto): Promise<ReplayView> {
    return this.deliveries.replay(id, dto);
  }

  @Get('id/:id/deliveries')
  @Endpoint({
    id: 'listWebhookDeliveries',
    summary: 'Deliveries of the last seven days, newest first',
    data: [DeliveryView],
    errors: [WebhookNotFoundError],
  })
  listDeliveries(
    @Param() { id }: ObjectIdParam,
    @Query() page: PageQuery,
  ): Promise<DeliveryView[]> {
    return this.deliveries.list(id, page);
  }
}

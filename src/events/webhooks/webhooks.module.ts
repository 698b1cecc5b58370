import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuthModule } from '../../auth/auth.module.js';
import { BackgroundModule } from '../../platform/jobs/background.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { EventLogModule } from '../log/event-log.module.js';
import { IdempotencyModule } from '../../platform/idempotency/idempotency.module.js';
import { DeliveryService } from './deliveries/delivery.service.js';
import { DeliveryStore } from './deliveries/delivery-store.js';
import { WebhookDispatcher } from './deliveries/webhook-dispatcher.job.js';
import { Delivery, DeliverySchema } from './schemas/delivery.schema.js';
import { Webhook, WebhookSchema } from './schemas/webhook.schema.js';
import { HostLookup } from './sending/host-lookup.js';
import { WebhookSender } from './sending/webhook-sender.js';
import { WebhookService } from './webhook.service.js';
import { WebhooksController } from './webhooks.controller.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: Webhook.name, schema: WebhookSchema },
      { name: Delivery.name, schema: DeliverySchema },
    ]),
    AuditModule,
    AuthModule,
    BackgroundModule,
    EventLogModule,
    IdempotencyModule,
  ],
  controllers: [WebhooksController],
  providers: [
    WebhookService,
    DeliveryService,
    DeliveryStore,
    WebhookDispatcher,
    WebhookSender,
    HostLookup,
  ],
})
export class WebhooksModule {}

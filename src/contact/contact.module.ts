import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { IdempotencyModule } from '../platform/idempotency/idempotency.module.js';
import { RateLimitModule } from '../platform/rate-limit/rate-limit.module.js';
import { ContactController } from './contact.controller.js';
import { ContactService } from './contact.service.js';
import { Message, MessageSchema } from './message.schema.js';

@Module({
  imports: [
    IdempotencyModule,
    RateLimitModule,
    MongooseModule.forFeature([{ name: Message.name, schema: MessageSchema }]),
  ],
  controllers: [ContactController],
  providers: [ContactService],
  exports: [ContactService],
})
export class ContactModule {}

import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OpenedBy, Public } from '../platform/http/access/access.decorator.js';
import { Origin, type RequestOrigin } from '../platform/http/client-address/origin.decorator.js';
import { Endpoint } from '../platform/http/openapi/endpoint.decorator.js';
import type { Creation } from '../platform/idempotency/creation.js';
import { RequestedCreation } from '../platform/idempotency/creation.decorator.js';
import { TooManyRequestsError } from '../platform/rate-limit/rate-limit.errors.js';
import { ContactService } from './contact.service.js';
import { SendMessageDto } from './send-message.dto.js';
import { MessageView } from './message.view.js';

@ApiTags('contact')
@Controller('contact')
export class ContactController {
  constructor(private readonly contact: ContactService) {}

  @Public()
  @OpenedBy('contact')
  @Post()
  @Endpoint({
    id: 'sendMessage',
    summary: 'Send a message to the operators',
    message: 'message received successfully!',
    data: MessageView,
    errors: [TooManyRequestsError],
  })
  send(
    @Body() dto: SendMessageDto,
    @Origin() origin: RequestOrigin,
    @RequestedCreation() creation: Creation | null,
  ): Promise<MessageView> {
    return this.contact.send(dto, origin, creation);
  }
}

import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireRole } from '../../platform/http/access/access.decorator.js';
import { Endpoint } from '../../platform/http/openapi/endpoint.decorator.js';
import { MailQuery } from './mail-query.dto.js';
import { MailService } from './mail.service.js';
import { MailView } from './mail.view.js';

@ApiTags('admin')
@RequireRole('ADMIN')
@Controller('admin/mail')
export class MailController {
  constructor(private readonly mails: MailService) {}

  @Get()
  @Endpoint({
    id: 'listMails',
    summary: 'What became of the mails of the last seven days, newest first',
    data: [MailView],
  })
  list(@Query() query: MailQuery): Promise<MailView[]> {
    return this.mails.list(query);
  }
}

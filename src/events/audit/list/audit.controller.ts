import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireRole } from '../../../platform/http/access/access.decorator.js';
import { Endpoint } from '../../../platform/http/openapi/endpoint.decorator.js';
import type { Listing } from '../../../platform/http/pagination/listing.js';
import { AuditListService } from './audit-list.service.js';
import { AuditQuery } from './audit.query.js';
import { AuditView } from './audit.view.js';

@ApiTags('admin')
@RequireRole('ADMIN')
@Controller('admin')
export class AuditController {
  constructor(private readonly audit: AuditListService) {}

  @Get('audit')
  @Endpoint({
    id: 'listAudit',
    summary: 'Who did what to accounts, keys, webhooks and data, newest first',
    description:
      'Ids and kinds only, never an address, a name or a secret. Refused sign-ins are counted by account, ' +
      'client prefix and hour. The next page is in the `Link` header.',
    data: [AuditView],
    paged: true,
  })
  list(@Query() query: AuditQuery): Promise<Listing<AuditView>> {
    return this.audit.list(query);
  }
}

import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireRole } from '../../../platform/http/access/access.decorator.js';
import { Endpoint } from '../../../platform/http/openapi/endpoint.decorator.js';
import { MediaUsage } from './media-usage.service.js';
import { MediaUsageView } from './media-usage.view.js';

@ApiTags('admin')
@RequireRole('ADMIN')
@Controller('admin/media')
export class MediaUsageController {
  constructor(private readonly usage: MediaUsage) {}

  @Get('usage')
  @Endpoint({ id: 'getMediaUsage', summary: 'How much pictures take', data: MediaUsageView })
  get(): Promise<MediaUsageView> {
    return this.usage.get();
  }
}

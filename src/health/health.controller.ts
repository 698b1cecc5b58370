import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../platform/http/access/access.decorator.js';
import { Endpoint } from '../platform/http/openapi/endpoint.decorator.js';
import { NotReadyError } from './health.errors.js';
import { HealthService } from './health.service.js';
import { HealthView } from './health.view.js';

@ApiTags('health')
@Public({ apiKey: false })
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get()
  @Endpoint({
    id: 'checkHealth',
    summary: 'Whether the process can reach its database',
    data: HealthView,
  })
  check(): Promise<HealthView> {
    return this.health.check();
  }

  @Get('live')
  @Endpoint({ id: 'checkLiveness', summary: 'Whether the process answers', data: HealthView })
  live(): HealthView {
    return this.health.live();
  }

  @Get('ready')
  @Endpoint({
    id: 'checkReadiness',
    summary: 'Whether the process is ready for requests: database reached, migrated, not stopping',
    data: HealthView,
    errors: [NotReadyError],
  })
  ready(): Promise<HealthView> {
    return this.health.ready();
  }
}

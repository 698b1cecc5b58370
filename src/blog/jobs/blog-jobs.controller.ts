import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireRole } from '../../platform/http/access/access.decorator.js';
import { ObjectIdParam } from '../../platform/http/object-id/object-id.param.js';
import { Endpoint } from '../../platform/http/openapi/endpoint.decorator.js';
import { AccountJobs } from './account-jobs.service.js';
import { JobNotFoundError } from './blog-jobs.errors.js';
import { JobView } from './job.view.js';

@ApiTags('admin')
@RequireRole('ADMIN')
@Controller('admin')
export class BlogJobsController {
  constructor(private readonly jobs: AccountJobs) {}

  @Get('jobs/id/:id')
  @Endpoint({
    id: 'getJob',
    summary: 'How far a handover of all blogs, or the deletion of an account, is',
    description: 'A job is kept for 30 days after its end.',
    data: JobView,
    errors: [JobNotFoundError],
  })
  get(@Param() { id }: ObjectIdParam): Promise<JobView> {
    return this.jobs.get(id);
  }
}

import { Controller, Delete, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireRole } from '../../platform/http/access/access.decorator.js';
import { CurrentUser, type Caller } from '../../platform/http/access/current-user.decorator.js';
import { ObjectIdParam } from '../../platform/http/object-id/object-id.param.js';
import { Endpoint } from '../../platform/http/openapi/endpoint.decorator.js';
import { BlogNotFoundError } from '../core/blog.errors.js';
import { BlogContributorsService } from './blog-contributors.service.js';

@ApiTags('admin')
@RequireRole('ADMIN')
@Controller('admin')
export class BlogContributorsController {
  constructor(private readonly contributors: BlogContributorsService) {}

  @Delete('blogs/id/:id/contributors')
  @Endpoint({
    id: 'clearContributors',
    summary: 'Clear who has contributed to a blog, for `FOUR_EYES=on` without another editor',
    message: 'contributors cleared successfully',
    errors: [BlogNotFoundError],
  })
  clear(@CurrentUser() caller: Caller, @Param() { id }: ObjectIdParam): Promise<void> {
    return this.contributors.clear(caller, id);
  }
}

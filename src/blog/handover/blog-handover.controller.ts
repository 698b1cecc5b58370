import { Body, Controller, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { BlogNotFoundError } from '../core/blog.errors.js';
import { RequireRole } from '../../platform/http/access/access.decorator.js';
import { CurrentUser, type Caller } from '../../platform/http/access/current-user.decorator.js';
import type { Warned } from '../../platform/http/envelope/warned.js';
import { ObjectIdParam } from '../../platform/http/object-id/object-id.param.js';
import { Endpoint } from '../../platform/http/openapi/endpoint.decorator.js';
import { UserNotFoundError } from '../../user/user.errors.js';
import { NotAnAuthorError } from './blog-handover.errors.js';
import { BlogHandoverService } from './blog-handover.service.js';
import { JobView } from '../jobs/job.view.js';
import { HandOverDto } from './hand-over.dto.js';

@ApiTags('admin')
@RequireRole('ADMIN')
@Controller('admin')
export class BlogHandoverController {
  constructor(private readonly handovers: BlogHandoverService) {}

  @Put('blogs/id/:id/author')
  @Endpoint({
    id: 'handOverBlog',
    summary: 'Hand a blog over to another author',
    description:
      'The blog keeps its state; its previews and its scheduled publication end. If its author has ' +
      'deleted the account, the new author can edit the blog again. A deleted blog counts as not ' +
      'found.',
    message: 'blog handed over successfully',
    errors: [BlogNotFoundError, NotAnAuthorError],
  })
  handOver(
    @CurrentUser() caller: Caller,
    @Param() { id }: ObjectIdParam,
    @Body() { user }: HandOverDto,
  ): Promise<Warned<undefined>> {
    return this.handovers.handOver(id, { caller, to: user });
  }

  @Put('users/id/:id/blogs/author')
  @Endpoint({
    id: 'handOverAllBlogs',
    summary: "Hand all of an author's blogs over to another author",
    description:
      'Starts a job, or returns the job that does this already; `getJob` shows how far it is. It hands over all ' +
      'blogs but those in the trash. Blogs that the author writes later stay with the author, who may have deleted ' +
      'the account. Previews and scheduled publications end.',
    message: 'handover started successfully',
    data: JobView,
    errors: [UserNotFoundError, NotAnAuthorError],
  })
  handOverAll(
    @CurrentUser() caller: Caller,
    @Param() { id }: ObjectIdParam,
    @Body() { user }: HandOverDto,
  ): Promise<JobView> {
    return this.handovers.handOverAll(id, { caller, to: user });
  }
}

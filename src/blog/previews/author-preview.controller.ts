import { Body, Controller, Delete, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { BlogNotFoundError } from '../core/blog.errors.js';
import { RequireRole } from '../../platform/http/access/access.decorator.js';
import { CurrentUser, type Caller } from '../../platform/http/access/current-user.decorator.js';
import { ObjectIdParam } from '../../platform/http/object-id/object-id.param.js';
import { Endpoint } from '../../platform/http/openapi/endpoint.decorator.js';
import { PreviewNotFoundError, TooManyPreviewsError } from './blog-previews.errors.js';
import type { Creation } from '../../platform/idempotency/creation.js';
import { RequestedCreation } from '../../platform/idempotency/creation.decorator.js';
import { CreatePreviewDto } from './dto/create-preview.dto.js';
import { PreviewService } from './preview.service.js';
import { NewPreviewView } from './views/new-preview.view.js';

@ApiTags('author')
@RequireRole('AUTHOR')
@Controller('blog/author/preview')
export class AuthorPreviewController {
  constructor(private readonly previews: PreviewService) {}

  @Post('id/:id')
  @Endpoint({
    id: 'createPreview',
    summary: 'Make a preview of a blog',
    description:
      'The preview shows the working copy in any state. It ends when it expires, when the blog is ' +
      'deleted or handed over, when its previews are ended, and when its author is disabled or loses ' +
      'the role.',
    message: 'preview created successfully',
    data: NewPreviewView,
    errors: [BlogNotFoundError, TooManyPreviewsError, PreviewNotFoundError],
  })
  create(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @Body() dto: CreatePreviewDto,
    @RequestedCreation() creation: Creation | null,
  ): Promise<NewPreviewView> {
    return this.previews.create('author', userId, id, dto, creation);
  }

  @Delete('id/:id')
  @Endpoint({
    id: 'endPreviews',
    summary: 'End all previews of a blog, those of editors and of the author',
    message: 'previews ended successfully',
    errors: [BlogNotFoundError],
  })
  endAll(@CurrentUser() { userId }: Caller, @Param() { id }: ObjectIdParam): Promise<void> {
    return this.previews.endAll('author', userId, id);
  }
}

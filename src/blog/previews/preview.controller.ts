import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../../platform/http/access/access.decorator.js';
import { Endpoint } from '../../platform/http/openapi/endpoint.decorator.js';
import { PreviewNotFoundError } from './blog-previews.errors.js';
import { PreviewTokenParam } from './dto/preview-token.param.js';
import { PreviewService } from './preview.service.js';
import { PreviewView } from './views/preview.view.js';

/** The only public route that returns unpublished content. */
@ApiTags('public')
@Public()
@Controller('blog/preview')
export class PreviewController {
  constructor(private readonly previews: PreviewService) {}

  @Get(':token')
  @Endpoint({
    id: 'getPreview',
    summary: 'Read the working copy of a blog by the token of a preview',
    description:
      "An author's token shows the working copy as it is now. An editor's token shows what is in " +
      'review, and gets 404 while nothing is in review.',
    data: PreviewView,
    noIndex: true,
    errors: [PreviewNotFoundError],
  })
  get(@Param() { token }: PreviewTokenParam): Promise<PreviewView> {
    return this.previews.read(token);
  }
}

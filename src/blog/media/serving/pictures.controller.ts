import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../../../platform/http/access/access.decorator.js';
import { Endpoint } from '../../../platform/http/openapi/endpoint.decorator.js';
import { MediaNotFoundError } from '../media.errors.js';
import { PictureParam, PictureQuery } from './picture.param.js';
import { Pictures } from './pictures.service.js';

const PICTURE = { schema: { type: 'string', format: 'binary' } } as const;

@ApiTags('public')
@Public({ apiKey: false })
@Controller('media')
export class PicturesController {
  constructor(private readonly pictures: Pictures) {}

  @Get(':id/:file')
  @Endpoint({
    id: 'getPicture',
    summary: 'A picture that a live article or a profile shows, in one of its sizes',
    description:
      'Without a key, because browsers send none. Any other picture needs a signed address, as views of drafts have ' +
      'it. Ranges and `If-None-Match` are honoured.',
    document: { type: 'image/*', ...PICTURE },
    deadlineMs: 30_000,
    headers: {
      'accept-ranges': 'AcceptRanges',
      'cache-tag': 'CacheTag',
      'cdn-cache-control': 'CdnCacheControl',
      'content-disposition': 'ContentDisposition',
      'content-security-policy': 'PicturePolicy',
      'cross-origin-resource-policy': 'PictureOrigins',
      etag: 'WeakTag',
      'last-modified': 'LastModified',
    },
    errors: [MediaNotFoundError],
  })
  @ApiResponse({
    status: 206,
    description: 'the range that was asked for',
    content: { 'image/*': { ...PICTURE, example: '(the bytes of the file)' } },
  })
  @ApiResponse({ status: 304, description: 'not modified; no body' })
  get(
    @Param() param: PictureParam,
    @Query() query: PictureQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.pictures.serve(request, reply, param, query);
  }
}

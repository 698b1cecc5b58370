import { Body, Controller, Get, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentUser, type Caller } from '../../platform/http/access/current-user.decorator.js';
import { Endpoint } from '../../platform/http/openapi/endpoint.decorator.js';
import type { Listing } from '../../platform/http/pagination/listing.js';
import type { TextDocument } from '../../platform/http/text-document.js';
import { NoticeQuery } from './dto/notice-query.dto.js';
import { ReadNoticesDto } from './dto/read-notices.dto.js';
import { StreamQuery } from './dto/stream-query.dto.js';
import { NoticeView } from './notice.view.js';
import { NoticesService } from './notices.service.js';
import { LastEventId } from './stream/last-event-id.decorator.js';
import { NoticeStreams } from './stream/notice-streams.service.js';

@ApiTags('profile')
@Controller('notices')
export class NoticesController {
  constructor(
    private readonly notices: NoticesService,
    private readonly streams: NoticeStreams,
  ) {}

  @Get()
  @Endpoint({
    id: 'listNotices',
    summary: 'What has happened that concerns you, newest first',
    description:
      'Kept for 90 days. Without what you may not read any more, so that a page may be shorter than `limit`. ' +
      'The next page is in the `Link` header.',
    data: [NoticeView],
    paged: true,
  })
  list(@CurrentUser() caller: Caller, @Query() query: NoticeQuery): Promise<Listing<NoticeView>> {
    return this.notices.list(caller, query);
  }

  @Put('read')
  @Endpoint({ id: 'readNotices', summary: 'Mark notices as read: some, or all of yours' })
  markRead(@CurrentUser() { userId }: Caller, @Body() dto: ReadNoticesDto): Promise<void> {
    return this.notices.markRead(userId, dto);
  }

  @Get('stream')
  @Endpoint({
    id: 'streamNotices',
    summary: 'Your notices as they are made, as server-sent events',
    description:
      'Read it by `fetch`, which sends both headers. An event `notice` has the `data` of a notice in a list. ' +
      'A comment comes every 15 s. The stream ends with the access token or the session, and after `seconds`: ' +
      'connect again, with the last `id` as `Last-Event-ID`. A sixth stream ends your oldest one.',
    headers: { 'x-accel-buffering': 'Unbuffered' },
    document: {
      type: 'text/event-stream',
      schema: { type: 'string', example: 'id: 41\nevent: notice\ndata: {"seq":41}\n\n' },
    },
  })
  stream(
    @CurrentUser() { userId }: Caller,
    @LastEventId() after: number | null,
    @Query() { seconds }: StreamQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TextDocument> {
    return this.streams.open(request, reply, userId, { after, seconds });
  }
}

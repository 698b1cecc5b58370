import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OpenedBy } from '../../../platform/http/access/access.decorator.js';
import { CurrentUser, type Caller } from '../../../platform/http/access/current-user.decorator.js';
import { Endpoint } from '../../../platform/http/openapi/endpoint.decorator.js';
import { NoticeWaysDto } from './notice-ways.dto.js';
import { NoticeWaysService } from './notice-ways.service.js';
import { NoticeWaysView } from './notice-ways.view.js';

@ApiTags('profile')
@OpenedBy('account', 'desk')
@Controller('profile/notices')
export class NoticeWaysController {
  constructor(private readonly ways: NoticeWaysService) {}

  @Get()
  @Endpoint({
    id: 'getNoticeWays',
    summary: 'How you hear of each kind of notice',
    description:
      'In the `desk`, by `mail` at once, or in the `digest` of the day; an empty list: not at all. ' +
      'What comes by mail at once is not in the digest.',
    data: NoticeWaysView,
  })
  get(@CurrentUser() { userId }: Caller): Promise<NoticeWaysView> {
    return this.ways.get(userId);
  }

  @Put()
  @Endpoint({
    id: 'changeNoticeWays',
    summary: 'Choose how you hear of some kinds of notices',
    data: NoticeWaysView,
  })
  change(@CurrentUser() { userId }: Caller, @Body() dto: NoticeWaysDto): Promise<NoticeWaysView> {
    return this.ways.change(userId, dto);
  }
}

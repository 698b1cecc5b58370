import { Controller, Delete, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OpenedBy } from '../../platform/http/access/access.decorator.js';
import { CurrentUser, type Caller } from '../../platform/http/access/current-user.decorator.js';
import { ObjectIdParam } from '../../platform/http/object-id/object-id.param.js';
import { Endpoint } from '../../platform/http/openapi/endpoint.decorator.js';
import { SessionNotFoundError } from '../auth.errors.js';
import { SessionService } from './session.service.js';
import { SessionView } from './session.view.js';

@ApiTags('auth')
@OpenedBy('account', 'desk')
@Controller('auth/sessions')
export class SessionController {
  constructor(private readonly sessions: SessionService) {}

  @Get()
  @Endpoint({
    id: 'listSessions',
    summary: 'Your sessions, the last used first',
    data: [SessionView],
  })
  list(@CurrentUser() { userId, sessionId }: Caller): Promise<SessionView[]> {
    return this.sessions.list(userId, sessionId);
  }

  @Delete()
  @Endpoint({
    id: 'endOtherSessions',
    summary: 'End all your sessions but this one',
    message: 'other sessions ended successfully',
  })
  endOthers(@CurrentUser() caller: Caller): Promise<void> {
    return this.sessions.endOthers(caller);
  }

  @Delete('id/:id')
  @Endpoint({
    id: 'endSession',
    summary: 'End one of your sessions',
    message: 'session ended successfully',
    errors: [SessionNotFoundError],
  })
  endOne(@CurrentUser() caller: Caller, @Param() { id }: ObjectIdParam): Promise<void> {
    return this.sessions.endOwn(caller, id);
  }
}

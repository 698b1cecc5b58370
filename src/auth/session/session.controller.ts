import { Controller, Delete, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OpenedBy, SessionOnly } from '../../platform/http/access/access.decorator.js';
import {
  CurrentSession,
  type SessionCaller,
} from '../../platform/http/access/current-user.decorator.js';
import { ObjectIdParam } from '../../platform/http/object-id/object-id.param.js';
import { Endpoint } from '../../platform/http/openapi/endpoint.decorator.js';
import { SessionNotFoundError } from '../auth.errors.js';
import { SessionService } from './session.service.js';
import { SessionView } from './session.view.js';

@ApiTags('auth')
@OpenedBy('account', 'desk')
@SessionOnly()
@Controller('auth/sessions')
export class SessionController {
  constructor(private readonly sessions: SessionService) {}

  @Get()
  @Endpoint({
    id: 'listSessions',
    summary: 'Your sessions, the last used first',
    data: [SessionView],
  })
  list(@CurrentSession() { userId, sessionId }: SessionCaller): Promise<SessionView[]> {
    return this.sessions.list(userId, sessionId);
  }

  @Delete()
  @Endpoint({
    id: 'endOtherSessions',
    summary: 'End all your sessions but this one',
    message: 'other sessions ended successfully',
  })
  endOthers(@CurrentSession() caller: SessionCaller): Promise<void> {
    return this.sessions.endOthers(caller);
  }

  @Delete('id/:id')
  @Endpoint({
    id: 'endSession',
    summary: 'End one of your sessions',
    message: 'session ended successfully',
    errors: [SessionNotFoundError],
  })
  endOne(@CurrentSession() caller: SessionCaller, @Param() { id }: ObjectIdParam): Promise<void> {
    return this.sessions.endOwn(caller, id);
  }
}

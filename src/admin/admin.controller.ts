import { Body, Controller, Get, Param, Post, Put, Query, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireRole, SessionOnly } from '../platform/http/access/access.decorator.js';
import { CurrentUser, type Caller } from '../platform/http/access/current-user.decorator.js';
import { ObjectIdParam } from '../platform/http/object-id/object-id.param.js';
import { Endpoint } from '../platform/http/openapi/endpoint.decorator.js';
import { PageQuery } from '../platform/http/pagination/page-query.dto.js';
import { ContactService } from '../contact/contact.service.js';
import { MessageView } from '../contact/message.view.js';
import { TooManyPasswordsError } from '../auth/auth.errors.js';
import { PasswordBulkheadInterceptor } from '../auth/password/password-bulkhead.interceptor.js';
import { AlreadyRegisteredError, LastAdminError, UserNotFoundError } from '../user/user.errors.js';
import { AdminUserService } from './admin-user.service.js';
import { SetRolesDto, SetStatusDto } from './dto/change-user.dto.js';
import { NewAccountDto } from './dto/operator-account.dto.js';
import { UserQuery } from './dto/user-query.dto.js';
import { AdminUserView } from './admin-user.view.js';

@ApiTags('admin')
@RequireRole('ADMIN')
@Controller('admin')
export class AdminController {
  constructor(
    private readonly users: AdminUserService,
    private readonly contact: ContactService,
  ) {}

  @Get('users')
  @Endpoint({ id: 'listUsers', summary: 'Accounts, newest first', data: [AdminUserView] })
  listUsers(@Query() query: UserQuery): Promise<AdminUserView[]> {
    return this.users.list(query);
  }

  @SessionOnly()
  @Post('users')
  @UseInterceptors(PasswordBulkheadInterceptor)
  @Endpoint({
    id: 'createUser',
    summary: 'Create an account with a password; `createInvitation` lets its owner choose one',
    data: AdminUserView,
    errors: [AlreadyRegisteredError, TooManyPasswordsError],
  })
  createUser(@CurrentUser() admin: Caller, @Body() dto: NewAccountDto): Promise<AdminUserView> {
    return this.users.create(dto, admin);
  }

  @Get('users/id/:id')
  @Endpoint({
    id: 'getUser',
    summary: 'One account',
    data: AdminUserView,
    errors: [UserNotFoundError],
  })
  getUser(@Param() { id }: ObjectIdParam): Promise<AdminUserView> {
    return this.users.get(id);
  }

  @SessionOnly()
  @Put('users/id/:id/roles')
  @Endpoint({
    id: 'setUserRoles',
    summary: 'Set the roles of an account; takes effect with its next request',
    data: AdminUserView,
    errors: [UserNotFoundError, LastAdminError],
  })
  setRoles(
    @CurrentUser() caller: Caller,
    @Param() { id }: ObjectIdParam,
    @Body() { roles }: SetRolesDto,
  ): Promise<AdminUserView> {
    return this.users.setRoles(id, roles, caller);
  }

  @Put('users/id/:id/status')
  @Endpoint({
    id: 'setUserStatus',
    summary: 'Disable an account, which ends its sessions, or enable it again',
    description:
      "Without the role or disabled, an editor's planned publications are cleared, and planned unpublications pass to you.",
    data: AdminUserView,
    errors: [UserNotFoundError, LastAdminError],
  })
  setStatus(
    @CurrentUser() caller: Caller,
    @Param() { id }: ObjectIdParam,
    @Body() { enabled }: SetStatusDto,
  ): Promise<AdminUserView> {
    return this.users.setEnabled(id, enabled, caller);
  }

  @Get('messages')
  @Endpoint({
    id: 'listMessages',
    summary: 'Messages to the operators, newest first',
    data: [MessageView],
  })
  listMessages(@Query() page: PageQuery): Promise<MessageView[]> {
    return this.contact.list(page);
  }
}

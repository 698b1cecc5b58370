import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { SignUpClosedError } from '../../auth/auth.errors.js';
import { MailNotConfiguredError } from '../../events/mail/mail.errors.js';
import { RequireRole, SessionOnly } from '../../platform/http/access/access.decorator.js';
import { CurrentUser, type Caller } from '../../platform/http/access/current-user.decorator.js';
import { ObjectIdParam } from '../../platform/http/object-id/object-id.param.js';
import { Endpoint } from '../../platform/http/openapi/endpoint.decorator.js';
import { PageQuery } from '../../platform/http/pagination/page-query.dto.js';
import { RequestedCreation } from '../../platform/idempotency/creation.decorator.js';
import type { Creation } from '../../platform/idempotency/creation.js';
import { CreateInvitationDto } from './create-invitation.dto.js';
import { AlreadyInvitedError, InvitationNotFoundError } from './invitation.errors.js';
import { InvitationView } from './invitation.view.js';
import { InvitationsService } from './invitations.service.js';

@ApiTags('admin')
@RequireRole('ADMIN')
@Controller('admin/invitations')
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @Get()
  @Endpoint({ id: 'listInvitations', summary: 'Invitations, newest first', data: [InvitationView] })
  list(@Query() page: PageQuery): Promise<InvitationView[]> {
    return this.invitations.list(page);
  }

  @SessionOnly()
  @Post()
  @Endpoint({
    id: 'createInvitation',
    summary: 'Invite somebody by mail',
    description:
      'The link of the mail works once, within seven days. It makes an account with these roles, or adds them to the account that has the address.',
    data: InvitationView,
    errors: [
      MailNotConfiguredError,
      SignUpClosedError,
      AlreadyInvitedError,
      InvitationNotFoundError,
    ],
  })
  create(
    @CurrentUser() admin: Caller,
    @Body() dto: CreateInvitationDto,
    @RequestedCreation() creation: Creation | null,
  ): Promise<InvitationView> {
    return this.invitations.create(admin, dto, creation);
  }

  @SessionOnly()
  @Post('id/:id/resend')
  @Endpoint({
    id: 'resendInvitation',
    summary: 'Send an invitation again, with a new link that works for seven days',
    data: InvitationView,
    errors: [MailNotConfiguredError, InvitationNotFoundError],
  })
  resend(@CurrentUser() admin: Caller, @Param() { id }: ObjectIdParam): Promise<InvitationView> {
    return this.invitations.resend(admin, id);
  }

  @Delete('id/:id')
  @Endpoint({
    id: 'withdrawInvitation',
    summary: 'Withdraw an invitation: its link ends',
    errors: [InvitationNotFoundError],
  })
  withdraw(@CurrentUser() admin: Caller, @Param() { id }: ObjectIdParam): Promise<void> {
    return this.invitations.withdraw(admin, id);
  }
}

import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuthModule } from '../auth/auth.module.js';
import { BlogScheduleModule } from '../blog/schedule/blog-schedule.module.js';
import { ContactModule } from '../contact/contact.module.js';
import { UserModule } from '../user/user.module.js';
import { AuditModule } from '../events/audit/audit.module.js';
import { MailModule } from '../events/mail/mail.module.js';
import { NoticesModule } from '../events/notices/notices.module.js';
import { IdempotencyModule } from '../platform/idempotency/idempotency.module.js';
import { InvitationAcceptanceController } from './invitations/invitation-acceptance.controller.js';
import { InvitationAcceptance } from './invitations/invitation-acceptance.service.js';
import { Invitation, InvitationSchema } from './invitations/invitation.schema.js';
import { InvitationsController } from './invitations/invitations.controller.js';
import { InvitationsService } from './invitations/invitations.service.js';
import { AdminController } from './admin.controller.js';
import { AdminUserService } from './admin-user.service.js';
import { OperatorAccountService } from './operator-account.service.js';

@Module({
  imports: [
    UserModule,
    AuthModule,
    AuditModule,
    MailModule,
    NoticesModule,
    IdempotencyModule,
    BlogScheduleModule,
    ContactModule,
    MongooseModule.forFeature([{ name: Invitation.name, schema: InvitationSchema }]),
  ],
  controllers: [AdminController, InvitationsController, InvitationAcceptanceController],
  providers: [AdminUserService, OperatorAccountService, InvitationsService, InvitationAcceptance],
  exports: [InvitationsService],
})
export class AdminModule {}

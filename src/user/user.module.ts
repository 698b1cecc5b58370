import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../events/audit/audit.module.js';
import { BackgroundModule } from '../platform/jobs/background.module.js';
import { AddressService } from './address.service.js';
import { DeletedAccountService } from './deleted-account.service.js';
import { EnabledAccounts } from './enabled-accounts.service.js';
import { LastAdminService } from './last-admin.service.js';
import { ProfileChanges } from './profile-changes.service.js';
import { RoleService } from './role.service.js';
import { DeletedAccount, DeletedAccountSchema } from './schemas/deleted-account.schema.js';
import { ReservedAddress, ReservedAddressSchema } from './schemas/reserved-address.schema.js';
import { Role, RoleSchema } from './schemas/role.schema.js';
import { User, UserSchema } from './schemas/user.schema.js';
import { UserService } from './user.service.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: User.name, schema: UserSchema },
      { name: Role.name, schema: RoleSchema },
      { name: ReservedAddress.name, schema: ReservedAddressSchema },
      { name: DeletedAccount.name, schema: DeletedAccountSchema },
    ]),
    AuditModule,
    BackgroundModule,
  ],
  providers: [
    UserService,
    EnabledAccounts,
    AddressService,
    RoleService,
    ProfileChanges,
    LastAdminService,
    DeletedAccountService,
  ],
  exports: [
    UserService,
    EnabledAccounts,
    AddressService,
    RoleService,
    ProfileChanges,
    LastAdminService,
    DeletedAccountService,
    MongooseModule,
  ],
})
export class UserModule {}

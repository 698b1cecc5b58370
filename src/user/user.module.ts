import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { BackgroundModule } from '../platform/jobs/background.module.js';
import { DeletedAccountService } from './deleted-account.service.js';
import { LastAdminService } from './last-admin.service.js';
import { RoleService } from './role.service.js';
import { DeletedAccount, DeletedAccountSchema } from './schemas/deleted-account.schema.js';
import { Role, RoleSchema } from './schemas/role.schema.js';
import { User, UserSchema } from './schemas/user.schema.js';
import { UserService } from './user.service.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: User.name, schema: UserSchema },
      { name: Role.name, schema: RoleSchema },
      { name: DeletedAccount.name, schema: DeletedAccountSchema },
    ]),
    BackgroundModule,
  ],
  providers: [UserService, RoleService, LastAdminService, DeletedAccountService],
  exports: [UserService, RoleService, LastAdminService, DeletedAccountService, MongooseModule],
})
export class UserModule {}

import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { LastAdminService } from './last-admin.service.js';
import { RoleService } from './role.service.js';
import { Role, RoleSchema } from './schemas/role.schema.js';
import { User, UserSchema } from './schemas/user.schema.js';
import { UserService } from './user.service.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: User.name, schema: UserSchema },
      { name: Role.name, schema: RoleSchema },
    ]),
  ],
  providers: [UserService, RoleService, LastAdminService],
  exports: [UserService, RoleService, LastAdminService, MongooseModule],
})
export class UserModule {}

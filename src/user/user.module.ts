import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
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
  providers: [UserService, RoleService],
  exports: [UserService, RoleService, MongooseModule],
})
export class UserModule {}

import { Body, Controller, Delete, Get, Param, Put, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { TooManyPasswordsError, WrongPasswordError } from '../auth/auth.errors.js';
import { PasswordBulkheadInterceptor } from '../auth/password/password-bulkhead.interceptor.js';
import {
  ForIncompleteAccounts,
  OpenedBy,
  SessionOnly,
} from '../platform/http/access/access.decorator.js';
import { CurrentUser, type Caller } from '../platform/http/access/current-user.decorator.js';
import { ObjectIdParam } from '../platform/http/object-id/object-id.param.js';
import { Endpoint } from '../platform/http/openapi/endpoint.decorator.js';
import { TooManyRequestsError } from '../platform/rate-limit/rate-limit.errors.js';
import { LastAdminError, UserNotFoundError } from '../user/user.errors.js';
import { UserView } from '../user/views/user.view.js';
import { AccountService } from './account.service.js';
import { DeletedAccountView } from './deleted-account.view.js';
import { DeleteAccountDto } from './dto/delete-account.dto.js';
import { ProfilePictureDto } from './dto/profile-picture.dto.js';
import { UpdateProfileDto } from './dto/update-profile.dto.js';
import { ProfileService } from './profile.service.js';
import { ProfileView } from './profile.view.js';

@ApiTags('profile')
@OpenedBy('account', 'desk')
@Controller('profile')
export class ProfileController {
  constructor(
    private readonly profiles: ProfileService,
    private readonly accounts: AccountService,
  ) {}

  @ForIncompleteAccounts()
  @Get('mine')
  @Endpoint({ id: 'getOwnProfile', summary: 'Your own account', data: UserView })
  getOwn(@CurrentUser() { userId }: Caller): Promise<UserView> {
    return this.profiles.getOwn(userId);
  }

  @ForIncompleteAccounts()
  @Put('mine')
  @Endpoint({ id: 'updateOwnProfile', summary: 'Change your name or picture', data: UserView })
  update(@CurrentUser() { userId }: Caller, @Body() dto: UpdateProfileDto): Promise<UserView> {
    return this.profiles.update(userId, dto);
  }

  @Put('mine/picture')
  @Endpoint({
    id: 'chooseProfilePicture',
    summary: 'Show a picture of your library on your profile, or none',
    description: 'Everybody may see it then.',
    data: UserView,
  })
  choosePicture(
    @CurrentUser() { userId }: Caller,
    @Body() dto: ProfilePictureDto,
  ): Promise<UserView> {
    return this.profiles.choosePicture(userId, dto);
  }

  @SessionOnly()
  @Delete('mine')
  @UseInterceptors(PasswordBulkheadInterceptor)
  @Endpoint({
    id: 'deleteOwnAccount',
    summary: 'Delete your account',
    description:
      'Removes your email address, name and picture, your sessions and tokens, your trash and everything that ' +
      'was never published: at once for everybody, and then from the database. ' +
      'Published articles stay, under the name "Former author". ' +
      'Publications that you have scheduled are cleared, unpublications pass to an ADMIN.',
    data: DeletedAccountView,
    message: 'account deleted successfully',
    errors: [WrongPasswordError, LastAdminError, TooManyRequestsError, TooManyPasswordsError],
  })
  delete(
    @CurrentUser() caller: Caller,
    @Body() dto: DeleteAccountDto,
  ): Promise<DeletedAccountView> {
    return this.accounts.delete(caller, dto);
  }

  @Get('id/:id')
  @Endpoint({
    id: 'getProfile',
    summary: 'Name and picture of a user',
    data: ProfileView,
    errors: [UserNotFoundError],
  })
  get(@Param() { id }: ObjectIdParam): Promise<ProfileView> {
    return this.profiles.get(id);
  }
}

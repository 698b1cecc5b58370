import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { replacementOf } from '../platform/http/validation/new-text.js';
import { newName } from '../user/names/name.decorator.js';
import { UserService } from '../user/user.service.js';
import type { UserView } from '../user/views/user.view.js';
import { UpdateProfileDto } from './dto/update-profile.dto.js';
import { toProfileView, type ProfileView } from './profile.view.js';

@Injectable()
export class ProfileService {
  constructor(private readonly users: UserService) {}

  async getOwn(id: Types.ObjectId): Promise<UserView> {
    return this.users.getView(id);
  }

  /** @throws InvalidBodyError for a name that no account may have, unless it is the stored one */
  async update(id: Types.ObjectId, dto: UpdateProfileDto): Promise<UserView> {
    const readStored = async () => (await this.users.getView(id)).name;
    const name =
      dto.name === undefined
        ? undefined
        : await replacementOf('name', dto.name, newName, readStored);
    await this.users.changeProfile(id, { ...dto, name });
    return this.users.getView(id);
  }

  /** @throws UserNotFoundError */
  async get(id: Types.ObjectId): Promise<ProfileView> {
    return toProfileView(await this.users.getView(id));
  }
}

import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
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

  async update(id: Types.ObjectId, dto: UpdateProfileDto): Promise<UserView> {
    await this.users.changeProfile(id, dto);
    return this.users.getView(id);
  }

  /** @throws UserNotFoundError */
  async get(id: Types.ObjectId): Promise<ProfileView> {
    return toProfileView(await this.users.getView(id));
  }
}

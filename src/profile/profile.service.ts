import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { PictureAddresses } from '../blog/media/serving/picture-addresses.service.js';
import { ProfilePictures } from '../blog/media/use/profile-pictures.service.js';
import { replacementOf } from '../platform/http/validation/new-text.js';
import { newName } from '../user/names/name.decorator.js';
import { ProfileChanges } from '../user/profile-changes.service.js';
import { UserService } from '../user/user.service.js';
import type { UserView } from '../user/views/user.view.js';
import { ProfilePictureDto } from './dto/profile-picture.dto.js';
import { UpdateProfileDto } from './dto/update-profile.dto.js';
import { toProfileView, type ProfileView } from './profile.view.js';

@Injectable()
export class ProfileService {
  constructor(
    private readonly users: UserService,
    private readonly changes: ProfileChanges,
    private readonly pictures: ProfilePictures,
    private readonly addresses: PictureAddresses,
  ) {}

  async getOwn(id: Types.ObjectId): Promise<UserView> {
    return this.users.getView(id);
  }

  /**
   * @throws InvalidBodyError for a name that no account may have, unless it is the stored one, and as `choosePicture`
   */
  async update(id: Types.ObjectId, dto: UpdateProfileDto): Promise<UserView> {
    const readStored = async () => (await this.users.getView(id)).name;
    const name =
      dto.name === undefined
        ? undefined
        : await replacementOf('name', dto.name, newName, readStored);
    await this.changes.apply(id, { name, ...(await this.pictureAt(id, dto.profilePicUrl)) });
    return this.users.getView(id);
  }

  /** @throws InvalidBodyError for a picture that is not of the caller's own library */
  async choosePicture(id: Types.ObjectId, { media, focus }: ProfilePictureDto): Promise<UserView> {
    const { picture: shown } = await this.users.getView(id);
    const kept = focus === undefined && shown?.media === media ? (shown?.focus ?? null) : focus;
    const picture = media && (await this.pictures.prepare(media, kept, id, 'media'));
    await this.changes.apply(id, { picture: picture || null });
    return this.users.getView(id);
  }

  /** What an address changes: one of the media library chooses the picture, unless the profile shows it already. */
  private async pictureAt(
    id: Types.ObjectId,
    profilePicUrl: string | null | undefined,
  ): Promise<Parameters<ProfileChanges['apply']>[1]> {
    const media = profilePicUrl ? this.addresses.idIn(profilePicUrl) : null;
    if (media === null) return { profilePicUrl };
    const shown = await this.users.getView(id);
    if (shown.picture?.media === media || shown.profilePicUrl === profilePicUrl) return {};
    return { picture: await this.pictures.prepare(media, undefined, id, 'profilePicUrl') };
  }

  /** @throws UserNotFoundError */
  async get(id: Types.ObjectId): Promise<ProfileView> {
    return toProfileView(await this.users.getView(id));
  }
}

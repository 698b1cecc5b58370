import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { KeysModule } from '../../auth/keys/keys.module.js';
import { User, UserSchema } from '../../user/schemas/user.schema.js';
import { Blog, BlogSchema } from '../core/blog.schema.js';
import { Media, MediaSchema } from './records/media.schema.js';
import { AddressSigner } from './serving/address-signer.service.js';
import { PictureAddresses } from './serving/picture-addresses.service.js';
import { DraftPictures } from './use/draft-pictures.service.js';
import { SubmittedPictures } from './use/submitted-pictures.service.js';
import { MediaOwners } from './use/media-owners.service.js';
import { MediaUses } from './use/media-uses.service.js';
import { ProfilePictures } from './use/profile-pictures.service.js';
import { UsedPictures } from './use/used-pictures.service.js';

const SERVICES = [
  AddressSigner,
  PictureAddresses,
  DraftPictures,
  MediaOwners,
  MediaUses,
  ProfilePictures,
  SubmittedPictures,
  UsedPictures,
];

/** What articles and profiles need of the media library. */
@Module({
  imports: [
    KeysModule,
    MongooseModule.forFeature([
      { name: Media.name, schema: MediaSchema },
      { name: Blog.name, schema: BlogSchema },
      { name: User.name, schema: UserSchema },
    ]),
  ],
  providers: SERVICES,
  exports: [...SERVICES, MongooseModule],
})
export class MediaRecordsModule {}

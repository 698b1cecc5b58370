import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types, type Model } from 'mongoose';
import { OUTBOX_RELAY } from '../events/log/event-log.service.js';
import { CacheCoherenceService } from '../platform/caching/cache-coherence.service.js';
import { Clock } from '../platform/clock.js';
import { BackgroundService } from '../platform/jobs/background.service.js';
import type { ShownPicture } from '../platform/picture/shown-picture.js';
import { User } from './schemas/user.schema.js';
import { userChanges } from './user.service.js';

/** A change of a profile. undefined leaves a field unchanged, null removes it. */
interface ProfileChange {
  readonly name?: string | undefined;
  /** An address of a picture, which takes the place of `picture`. */
  readonly profilePicUrl?: string | null | undefined;
  /** A picture of the media library, which takes the place of `profilePicUrl`. */
  readonly picture?: ShownPicture | null | undefined;
}

/** The pictures that readers have seen since the last event: a CDN may have them. */
const SEEN_PICTURES = {
  $let: {
    vars: {
      seen: {
        $setUnion: [
          { $ifNull: ['$renamed.pictures', []] },
          { $cond: [{ $gt: ['$picture.media', null] }, ['$picture.media'], []] },
        ],
      },
    },
    in: { $cond: [{ $eq: ['$$seen', []] }, '$$REMOVE', '$$seen'] },
  },
};

/** Changes what others see of a user. */
@Injectable()
export class ProfileChanges {
  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly coherence: CacheCoherenceService,
    private readonly background: BackgroundService,
    private readonly clock: Clock,
  ) {}

  /** Changes the name or picture of a user, and sets `renamed`, which tells the outbox relay of the change. */
  async apply(id: Types.ObjectId, { name, profilePicUrl, picture }: ProfileChange): Promise<void> {
    const changes = Object.entries({
      name,
      profilePicUrl: picture ? null : profilePicUrl,
      picture: profilePicUrl === undefined ? picture : null,
    }).filter(([, value]) => value !== undefined);
    if (changes.length === 0) return;
    const renamed = {
      id: new Types.ObjectId(),
      at: this.clock.now(),
      ...(changes.some(([field]) => field === 'picture') ? { pictures: SEEN_PICTURES } : {}),
    };
    // `$literal` keeps MongoDB from reading a text such as `$name` as a path.
    const values = changes.map(([field, value]) => [
      field,
      value === null ? '$$REMOVE' : { $literal: value },
    ]);
    const update = [{ $set: { renamed, ...(Object.fromEntries(values) as object) } }];
    await this.coherence.write(userChanges(id), (session) =>
      this.users.updateOne({ _id: id }, update, { session, updatePipeline: true }),
    );
    this.background.wake(OUTBOX_RELAY);
  }
}

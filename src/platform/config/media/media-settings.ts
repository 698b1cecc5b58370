import { IsOptional, Length } from 'class-validator';
import ms from 'ms';
import { PeopleSettings } from '../people/people-settings.js';
import { parseRate, type Rate } from '../values/rate.js';
import { S3Url, type S3Location } from './s3-url.js';
import { Duration, RateSetting, WholeNumber } from '../values/setting.decorators.js';
import { SiteUrl } from '../values/site.decorators.js';

/** The settings of pictures. They are a part of Env, which says how settings are declared. */
export class MediaSettings extends PeopleSettings {
  /** Size of the largest file that an upload may have, in MiB. */
  @WholeNumber(1, 1_024, 'a whole number of megabytes')
  readonly MEDIA_MAX_MB: number = 20;

  /** URL at which browsers reach the pictures, without a slash at the end; PUBLIC_URL if it is unset. */
  @SiteUrl()
  readonly MEDIA_URL: string | undefined = undefined;

  /**
   * Where the bytes of pictures are kept; in the database if it is unset. Backups and copies then hold the records of
   * pictures and not their bytes, so the bucket needs a backup of its own.
   */
  @S3Url()
  readonly MEDIA_S3_URL: S3Location | undefined = undefined;

  /** How long a picture that nothing uses is kept. */
  @Duration()
  readonly MEDIA_KEEP: number = ms('30d');

  /** The folder for pictures in the sizes that were asked for; `media` in DATA_DIR if it is unset. */
  @IsOptional()
  @Length(1, 4_096)
  readonly MEDIA_CACHE_DIR: string | undefined = undefined;

  /** Size of that folder, in MiB. */
  @WholeNumber(64, 1_048_576, 'a whole number of megabytes')
  readonly MEDIA_CACHE_MB: number = 1_024;

  /** Number of pictures that an account may upload. */
  @RateSetting()
  readonly LIMIT_MEDIA: Rate = parseRate('1000/1h');
}

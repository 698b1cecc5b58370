import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireRole } from '../../../platform/http/access/access.decorator.js';
import { CurrentUser, type Caller } from '../../../platform/http/access/current-user.decorator.js';
import { UploadedFile, type Upload } from '../../../platform/http/input/uploads/upload.js';
import { ObjectIdParam } from '../../../platform/http/object-id/object-id.param.js';
import { Endpoint } from '../../../platform/http/openapi/endpoint.decorator.js';
import type { Listing } from '../../../platform/http/pagination/listing.js';
import type { Creation } from '../../../platform/idempotency/creation.js';
import { RequestedCreation } from '../../../platform/idempotency/creation.decorator.js';
import { TooManyRequestsError } from '../../../platform/rate-limit/rate-limit.errors.js';
import {
  MediaInUseError,
  MediaNotFoundError,
  PictureRefusedError,
  PictureTypeError,
} from '../media.errors.js';
import { ChangeMediaDto } from './change-media.dto.js';
import { MediaQuery } from './media-query.dto.js';
import { MediaUpload } from './media-upload.service.js';
import { MediaService } from './media.service.js';
import { MediaView } from './media.view.js';
import { RemovedMediaView } from './removed-media.view.js';
import { UploadMediaDto } from './upload-media.dto.js';

@ApiTags('media')
@RequireRole('AUTHOR', 'EDITOR')
@Controller('media')
export class MediaController {
  constructor(
    private readonly uploads: MediaUpload,
    private readonly media: MediaService,
  ) {}

  @Post()
  @Endpoint({
    id: 'uploadMedia',
    summary: 'Upload a picture',
    description:
      'It is written anew: upright, in sRGB, without metadata. ' +
      'Readers see it once a live article or your profile shows it.',
    isUpload: true,
    // A picture may have to wait for others.
    deadlineMs: 60_000,
    data: MediaView,
    errors: [MediaNotFoundError, PictureRefusedError, PictureTypeError, TooManyRequestsError],
  })
  upload(
    @CurrentUser() caller: Caller,
    @Body() dto: UploadMediaDto,
    @UploadedFile() upload: Upload | null,
    @RequestedCreation() creation: Creation | null,
  ): Promise<MediaView> {
    return this.uploads.add(caller, upload, dto, creation);
  }

  @Get()
  @Endpoint({
    id: 'listMedia',
    summary: 'Pictures of the media library, newest first',
    description:
      'Your own, and for an EDITOR those of all articles that were submitted. The next page is in the `Link` header.',
    data: [MediaView],
    paged: true,
  })
  list(@CurrentUser() caller: Caller, @Query() query: MediaQuery): Promise<Listing<MediaView>> {
    return this.media.list(caller, query);
  }

  @Get('id/:id')
  @Endpoint({
    id: 'getMedia',
    summary: 'One picture',
    description: 'Yours, one that readers see, or one that an article shows which you may read.',
    data: MediaView,
    errors: [MediaNotFoundError],
  })
  get(@CurrentUser() caller: Caller, @Param() { id }: ObjectIdParam): Promise<MediaView> {
    return this.media.get(caller, id);
  }

  @Put('id/:id')
  @Endpoint({
    id: 'updateMedia',
    summary: 'Change what is said of your picture, or keep it for good',
    description: 'Articles that show it do not change: each has its own words for it.',
    data: MediaView,
    errors: [MediaNotFoundError],
  })
  change(
    @CurrentUser() caller: Caller,
    @Param() { id }: ObjectIdParam,
    @Body() dto: ChangeMediaDto,
  ): Promise<MediaView> {
    return this.media.change(caller, id, dto);
  }

  @Delete('id/:id')
  @Endpoint({
    id: 'deleteMedia',
    summary: 'Delete your picture, unless readers see it',
    data: RemovedMediaView,
    errors: [MediaNotFoundError, MediaInUseError],
  })
  remove(@CurrentUser() caller: Caller, @Param() { id }: ObjectIdParam): Promise<RemovedMediaView> {
    return this.media.remove(caller, id);
  }
}

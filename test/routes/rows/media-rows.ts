import { Types } from 'mongoose';
import { A_PICTURE } from '../../support/media/forms.js';
import { unknownId } from '../../support/factories.js';
import { INVALID_BODY } from '../outcomes.js';
import { newMedia, publicPicture } from '../targets/media-targets.js';
import { AUTHOR, OPEN, type Row } from '../row.js';
import type { Access } from '../../../src/platform/http/access/access.decorator.js';

const MEDIA: Access = { ...AUTHOR, roles: ['AUTHOR', 'EDITOR'] };
const OF_MEDIA = { own: 200, "other's": 404, unknown: 404, malformed: 400 } as const;
const TEXTS = {
  alt: ['grey', undefined],
  caption: [undefined, 'Grey'],
  credit: [undefined, 'Ada'],
};
const FIELDS =
  '_id, alt, bytes, checkAt, createdAt, file, format, height, name, owner, thumbhash, unusedSince, updatedAt, width, words';

/** The media library. */
export const MEDIA_ROWS: readonly Row[] = [
  {
    route: 'POST /media',
    access: MEDIA,
    ...INVALID_BODY,
    body: { file: [A_PICTURE], ...TEXTS, focus: [undefined, { x: 0.5, y: 1 }] },
    isLimited: true,
    effects: [
      `insert media: ${FIELDS}`,
      'insert media_files: _id, checkAt, createdAt, digest, isStored',
      'insert pictures.chunks: _id, data, files_id, n',
      'insert pictures.files: _id, chunkSize, filename, length, uploadDate',
    ],
  },
  {
    route: 'GET /media',
    access: MEDIA,
    query: {
      mine: [undefined, 'true', 'false'],
      unused: [undefined, 'true'],
      q: [undefined, 'grey'],
      cursor: [undefined, new Types.ObjectId().toHexString()],
      limit: [undefined, '5'],
    },
  },
  { route: 'GET /media/id/:id', access: MEDIA, parameter: 'media', outcomes: OF_MEDIA },
  {
    route: 'PUT /media/id/:id',
    access: MEDIA,
    parameter: 'media',
    outcomes: OF_MEDIA,
    body: {
      ...TEXTS,
      caption: [undefined, 'Grey', null],
      credit: [undefined, 'Ada', null],
      focus: [undefined, { x: 0, y: 0.25 }, null],
      pinned: [undefined, true, false],
    },
    effects: ['update media: alt, updatedAt, words'],
  },
  {
    route: 'DELETE /media/id/:id',
    access: MEDIA,
    parameter: 'media',
    outcomes: OF_MEDIA,
    effects: ['delete media', 'update media_files: checkAt'],
  },
  {
    route: 'GET /media/:id/:file',
    access: OPEN,
    parameter: 'picture',
    targets: [publicPicture, async (fixture) => `${await newMedia(fixture)}/tiny.png`, unknownId],
    outcomes: { own: 200, unknown: 404, malformed: 404 },
  },
];

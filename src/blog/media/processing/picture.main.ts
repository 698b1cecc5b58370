// The process that reads and writes pictures. What a hostile picture can crash, or fill the memory of, is only this.
import { stat } from 'node:fs/promises';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import {
  FRAMES_MAX,
  PIXELS_MAX,
  TOO_LARGE,
  type PictureFormat,
} from '../../../platform/picture/picture-formats.ts';
import type {
  FullPicture,
  FullTask,
  PictureResult,
  PictureTask,
  SizeTask,
} from './picture-tasks.ts';

/** Most memory in bytes that the process may hold, its argument; it ends itself above. */
const MEMORY_MAX = Number(process.argv[2]);

/** Most memory in bytes that the process may hold between two pictures: the next picture needs the rest. */
const MEMORY_REST_MAX = MEMORY_MAX / 2;

/** Interval of that check in milliseconds. */
const MEMORY_CHECK_MS = 25;

/** Longest side of the picture from which a thumbhash is made, as its author demands. */
const THUMBHASH_SIDE = 100;

/** The readers of libvips that may run. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'].map((name) => `VipsForeignLoad${name}`);

const READ = { limitInputPixels: PIXELS_MAX, failOn: 'error', sequentialRead: true } as const;

/** How each format is written. The first three take little memory: they are written line by line. */
const WRITE = {
  jpeg: { quality: 88, progressive: false, optimizeCoding: false },
  png: { compressionLevel: 6, progressive: false },
  webp: { quality: 80, effort: 3 },
  gif: { effort: 3 },
} as const satisfies Record<PictureFormat, object>;

/** What libvips says when the disk is full or cannot be written to. */
const WRITE_ERROR = /: (?:unable to open for write|write error)/;

/** Why a picture is refused, in words for people. */
class RefusedPicture extends Error {}

async function fullPicture({ input, output }: FullTask): Promise<FullPicture> {
  const { format: given, compression, pages = 1, hasAlpha, ...size } = await metadataOf(input);
  const width = size.width ?? 0;
  const height = (size.pageHeight ?? size.height) || 0;
  if (width * height * pages > PIXELS_MAX) throw tooLarge();
  if (pages > FRAMES_MAX) throw new RefusedPicture(`it has more than ${FRAMES_MAX} frames`);
  if (given === 'heif' && compression !== 'av1')
    throw new RefusedPicture('HEIC is not taken: send JPEG or AVIF');
  const isAnimated = pages > 1;
  const format = formatOf(String(given), isAnimated, hasAlpha === true);
  const picture = sharp(input, { ...READ, animated: isAnimated });
  const upright = isAnimated ? picture : picture.autoOrient();
  const written = await writer(upright, format).toFile(output);
  const { size: bytes } = await stat(output);
  return {
    format,
    isAnimated,
    width: written.width,
    height: written.pageHeight ?? written.height,
    bytes,
    thumbhash: await thumbhashOf(output),
  };
}

async function metadataOf(input: string): Promise<Metadata> {
  try {
    return await sharp(input, { ...READ, pages: -1 }).metadata();
  } catch (error) {
    throw /pixel limit/i.test(String(error)) ? tooLarge() : error;
  }
}

/** The format of the full picture: that of the file, or one that every browser shows. */
function formatOf(given: string, isAnimated: boolean, hasAlpha: boolean): PictureFormat {
  if (isAnimated) return given === 'gif' ? 'gif' : 'webp';
  if (given === 'png' || given === 'gif' || hasAlpha) return 'png';
  return 'jpeg';
}

async function otherSize({ input, output, width, format }: SizeTask): Promise<null> {
  const picture = sharp(input, READ).resize({ width, withoutEnlargement: true });
  await writer(picture, format).toFile(output);
  return null;
}

/** Without metadata, which sharp leaves out, and in sRGB. */
function writer(picture: Sharp, format: PictureFormat): Sharp {
  return picture.toColourspace('srgb').toFormat(format, WRITE[format]);
}

async function thumbhashOf(path: string): Promise<string> {
  const { data, info } = await sharp(path, READ)
    .resize(THUMBHASH_SIDE, THUMBHASH_SIDE, { fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}

function tooLarge(): RefusedPicture {
  return new RefusedPicture(TOO_LARGE);
}

async function resultOf(task: PictureTask): Promise<PictureResult> {
  try {
    return { picture: await (task.kind === 'full' ? fullPicture(task) : otherSize(task)) };
  } catch (error) {
    if (error instanceof RefusedPicture) return { refusal: error.message };
    if (WRITE_ERROR.test(String(error))) return { failure: String(error) };
    return { refusal: 'it is damaged, or not what its first bytes say' };
  }
}

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: LOADERS });
setInterval(() => {
  if (process.memoryUsage.rss() > MEMORY_MAX) process.exit(1);
}, MEMORY_CHECK_MS).unref();
process.on('message', (task: PictureTask) => {
  void resultOf(task).then((result) => {
    process.send?.(result, undefined, undefined, () => {
      if (process.memoryUsage.rss() > MEMORY_REST_MAX) process.exit(0);
    });
  });
});
process.on('disconnect', () => process.exit(0));

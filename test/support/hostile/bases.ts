import sharp from 'sharp';
import { drawn } from '../media/pictures.js';

const FORMATS = ['jpeg', 'png', 'webp', 'avif', 'gif'] as const;

export type BaseFormat = (typeof FORMATS)[number];

/** Small honest pictures, from which hostile ones are made. */
export interface Bases {
  readonly still: Readonly<Record<BaseFormat, Buffer>>;
  /** A GIF and a WebP of three frames. */
  readonly moving: Readonly<Record<'gif' | 'webp', Buffer>>;
}

export const BASE_FORMATS: readonly BaseFormat[] = FORMATS;

export async function makeBases(): Promise<Bases> {
  const still = await Promise.all(
    FORMATS.map(async (format) => [format, await drawn(48, 36).toFormat(format).toBuffer()]),
  );
  return {
    still: Object.fromEntries(still) as Bases['still'],
    moving: { gif: await movingPicture('gif'), webp: await movingPicture('webp') },
  };
}

/** A picture of frames of different colours. */
export async function movingPicture(
  format: 'gif' | 'webp',
  { frames = 3, width = 32, height = 24 } = {},
): Promise<Buffer> {
  const colours = ['#a00', '#0a0', '#00a', '#aa0'];
  const images = await Promise.all(
    Array.from({ length: frames }, (_, index) => {
      const background = colours[index % colours.length] ?? '#000';
      return sharp({ create: { width, height, channels: 3, background } })
        .png()
        .toBuffer();
    }),
  );
  return sharp(images, { join: { animated: true } })
    .toFormat(format)
    .toBuffer();
}

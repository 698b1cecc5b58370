import type { PictureFormat } from '../../../platform/picture/picture-formats.ts';

/** Makes the full picture of a file that was uploaded. */
export interface FullTask {
  readonly kind: 'full';
  readonly input: string;
  readonly output: string;
}

/** Makes a picture of another width from a full one. */
export interface SizeTask {
  readonly kind: 'size';
  readonly input: string;
  readonly output: string;
  readonly width: number;
  readonly format: PictureFormat;
}

export type PictureTask = FullTask | SizeTask;

/** What the process tells of a full picture. Sizes are in pixels and bytes; the height is that of one frame. */
export interface FullPicture {
  readonly format: PictureFormat;
  readonly isAnimated: boolean;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  /** In base64. */
  readonly thumbhash: string;
}

/**
 * What the process answers: the picture (null for another size), why there is none, in words for people, or why it
 * could not be written, which is no fault of the picture.
 */
export type PictureResult =
  | { readonly picture: FullPicture | null }
  | { readonly refusal: string }
  | { readonly failure: string };

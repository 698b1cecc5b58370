import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { openFiles } from '../files/source-files.js';
import { ArchivePictures, isHostOf, picturesBeside } from '../pictures/archive-pictures.js';
import type { PictureSource } from '../pictures/picture-source.js';

/** Number of bytes that are read at a time. */
const CHUNK = 256 * 1_024;

/** Where the pictures of a site lie beside the JSON file. */
const FOLDERS = ['content/images', '../content/images', 'images'];

/** How a zip begins. */
const ZIP = 'PK\u0003\u0004';

/** Matches the JSON file in a zip of an export. */
const EXPORT = /^(?!(?:.*\/)?(?:redirects|package|settings)\.json$).*\.json$/;

/** The path of the JSON file among those of a zip; undefined if it has none. */
function exportIn(paths: readonly string[]): string | undefined {
  return paths.find((path) => EXPORT.test(path));
}

/** The bytes of the JSON of an export, which may be in a zip with its pictures. */
export async function* ghostChunks(file: string): AsyncGenerator<Buffer> {
  if (!(await isZip(file))) {
    yield* createReadStream(file, { highWaterMark: CHUNK }) as AsyncIterable<Buffer>;
    return;
  }
  const files = await openFiles(file);
  try {
    yield* (await files.open(exportIn(files.paths) ?? '')) as AsyncIterable<Buffer>;
  } finally {
    files.close();
  }
}

/** The pictures of an export: in its zip, or beside its file. */
export async function ghostPictures(
  file: string,
  sites: readonly (string | null)[],
): Promise<PictureSource | null> {
  return (await isZip(file))
    ? new ArchivePictures(await openFiles(file), isHostOf(sites))
    : picturesBeside(file, FOLDERS, sites);
}

async function isZip(file: string): Promise<boolean> {
  await using handle = await open(file, 'r');
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(ZIP.length), 0, ZIP.length, 0);
  return buffer.toString('latin1', 0, bytesRead) === ZIP;
}

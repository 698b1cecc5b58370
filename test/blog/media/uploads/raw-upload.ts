import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { mediaFolder } from '../../../../src/blog/media/storage/media-folder.js';
import type { Person } from '../../../support/factories.js';
import { API_KEY, type TestApp } from '../../../support/start-app.js';
import { requestHead } from '../../../platform/http/connection/raw-client.js';

const BOUNDARY = 'the-boundary';

/** The bytes of a form with these parts: a Buffer is a file, a text is a field. */
export function formBytes(
  parts: readonly (readonly [string, string | Buffer])[],
  { isWhole = true } = {},
): Buffer {
  const pieces = parts.flatMap(([name, value]) => [
    Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"`),
    Buffer.from(
      typeof value === 'string'
        ? '\r\n\r\n'
        : '; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n',
    ),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...pieces, Buffer.from(isWhole ? `--${BOUNDARY}--\r\n` : '')]);
}

/** The head of an upload. @param length of the body; without one it is chunked */
export function uploadHead(
  { accessToken }: Pick<Person, 'accessToken'>,
  length: number | null,
  ...headers: readonly string[]
): string {
  return requestHead(
    'POST /media',
    `x-api-key: ${API_KEY}`,
    `authorization: Bearer ${accessToken}`,
    `content-type: multipart/form-data; boundary=${BOUNDARY}`,
    length === null ? 'transfer-encoding: chunked' : `content-length: ${length}`,
    ...headers,
  );
}

/** A piece of a chunked body. */
export function chunk(bytes: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`${bytes.length.toString(16)}\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ]);
}

/** The names of the files whose uploads are not answered yet. */
export async function arrivingFiles({ env }: Pick<TestApp, 'env'>): Promise<string[]> {
  return readdir(join(mediaFolder(env), 'uploads')).catch(() => []);
}

/** Number of records and of bytes of pictures. */
export async function storedPictures({ db }: Pick<TestApp, 'db'>): Promise<Record<string, number>> {
  const names = ['media', 'media_files', 'pictures.files', 'pictures.chunks'];
  const counts = names.map(async (name) => [name, await db.collection(name).countDocuments()]);
  return Object.fromEntries(await Promise.all(counts)) as Record<string, number>;
}

import sharp, { type Create, type FormatEnum, type Sharp } from 'sharp';
import type { Client, Answer } from '../client.js';
import { unique } from '../factories.js';

/** The view of a picture, as far as tests read it. */
export interface MediaAnswer {
  readonly _id: string;
  readonly url: string;
  readonly sources: readonly { readonly type: string; readonly srcset: string }[];
  readonly name: string;
  readonly alt: string;
  readonly caption?: string;
  readonly credit?: string;
  readonly width: number;
  readonly height: number;
  readonly focus?: { readonly x: number; readonly y: number };
  readonly thumbhash: string;
  readonly bytes: number;
  readonly pinned: boolean;
  readonly unusedSince?: string;
}

/** A picture of noise, which no other picture is equal to. */
export function drawn(width = 800, height = 600, channels: 3 | 4 = 3): Sharp {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const create = { width, height, channels: 3, noise, background: '#888' } as Create;
  const picture = sharp({ create });
  return channels === 4 ? picture.ensureAlpha(0.5) : picture;
}

/** The bytes of a drawn picture. */
export async function pictureFile(
  format: keyof FormatEnum | 'avif' = 'jpeg',
  width = 800,
  height = 600,
): Promise<Buffer> {
  return drawn(width, height).toFormat(format).toBuffer();
}

/** A form that uploads this file. */
function uploadForm(
  file: Uint8Array,
  fields: Readonly<Record<string, string>> = {},
  name = `${unique('picture')}.jpg`,
): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new Blob([new Uint8Array(file)]), name);
  return form;
}

/** Uploads a file. */
export async function upload(
  client: Client,
  file: Uint8Array,
  fields: Readonly<Record<string, string>> = {},
  { name, headers }: { readonly name?: string; readonly headers?: Record<string, string> } = {},
): Promise<Answer<MediaAnswer>> {
  const rawBody = uploadForm(file, fields, name);
  return client.post<MediaAnswer>('/media', undefined, {
    rawBody,
    ...(headers ? { headers } : {}),
  });
}

/** Uploads a drawn picture, which must succeed. */
export async function uploaded(
  client: Client,
  size: { readonly width?: number; readonly height?: number } = {},
): Promise<MediaAnswer> {
  const { status, body } = await upload(
    client,
    await pictureFile('jpeg', size.width, size.height),
    {
      alt: 'A picture of noise',
    },
  );
  if (status !== 200) throw new Error(`a picture was not taken: ${body.message}`);
  return body.data;
}

/** Fetches an address of a picture, without a key, from the server itself. */
export function fetchPicture(
  server: { readonly url: string },
  address: string,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(server.url + address.replace(/^https?:\/\/[^/]+/, ''), init);
}

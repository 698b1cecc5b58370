import { pngOf } from '../../src/cli/setup/demo/drawing/png.ts';
import { API_KEY } from '../data/people.ts';

/** The form that uploads a picture. */
export function pictureForm(): FormData {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(pngOf(8, 6, () => [0x80, 0x80, 0x80]))]), 'tiny.png');
  return form;
}

export interface Picture {
  readonly id: string;
  /** The path of its public address. */
  readonly path: string;
}

/** Uploads a picture to a server. */
export async function newPicture(url: string, token = ''): Promise<Picture> {
  const answer = await fetch(`${url}/media`, {
    method: 'POST',
    headers: { 'x-api-key': API_KEY, authorization: `Bearer ${token}` },
    body: pictureForm(),
  });
  const { data } = (await answer.json()) as { data: { _id: string; url: string } };
  return { id: data._id, path: new URL(data.url, url).pathname };
}

import { tinyPng } from '../../scripts/support/tiny-png.ts';
import { API_KEY } from '../data/people.ts';
import type { Caller, Newsroom } from './newsroom.ts';

/** The form that uploads a picture. */
export function pictureForm(): FormData {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(tinyPng())]), 'tiny.png');
  return form;
}

/** Uploads a picture. @returns its id, and the path of its signed address */
export async function newPicture(
  { server }: Newsroom,
  caller: Caller | null,
): Promise<{ readonly id: string; readonly path: string }> {
  const answer = await fetch(`${server.url}/media`, {
    method: 'POST',
    headers: { 'x-api-key': API_KEY, authorization: `Bearer ${caller?.token ?? ''}` },
    body: pictureForm(),
  });
  const { data } = (await answer.json()) as { data: { _id: string; url: string } };
  const { pathname, search } = new URL(data.url, server.url);
  return { id: data._id, path: pathname + search };
}

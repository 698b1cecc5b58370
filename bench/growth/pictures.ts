import { crc32, deflateSync } from 'node:zlib';
import { API_KEY } from '../data/people.ts';
import type { Caller, Newsroom } from './newsroom.ts';

/** A PNG of 8 by 6 pixels of one colour. */
function tinyPng(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(8, 0);
  header.writeUInt32BE(6, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc(6 * (1 + 8 * 3)));
  const parts = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

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

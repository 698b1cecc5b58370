import { blogIn } from '../../support/factories.js';
import type { Client } from '../../support/client.js';
import { A_PICTURE } from '../../support/media/forms.js';
import type { TargetFactory } from '../row.js';

/** Uploads a picture. @returns its id */
async function picture(client: Client): Promise<string> {
  const { body } = await client.post<{ _id: string }>('/media', { file: A_PICTURE });
  return body.data._id;
}

/** A picture of the AUTHOR. */
export const newMedia: TargetFactory = ({ people: { AUTHOR } }) => picture(AUTHOR.client);

/** The address of a picture that a live article shows. */
export const publicPicture: TargetFactory = async ({ people: { AUTHOR, EDITOR } }) => {
  const id = await picture(AUTHOR.client);
  const draftText = `<p>See <img src="/media/${id}/tiny.png" alt="grey"></p>`;
  await blogIn('live', AUTHOR, EDITOR, { draftText });
  return `${id}/tiny.png`;
};

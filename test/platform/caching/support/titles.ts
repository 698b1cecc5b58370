import { itemsIn } from '../../../routes/reads.js';
import type { Client } from '../../../support/client.js';

/** Stands for the title of a blog that readers do not see. */
export const ABSENT = 'absent';

/** @param path of one article */
export async function titleOfArticle(client: Client, path: string): Promise<string> {
  const { status, body } = await client.get(path);
  return status === 404 ? ABSENT : body.data.title;
}

/** @param path of a list */
export async function titleInList(client: Client, path: string, id: string): Promise<string> {
  const { body } = await client.get(path);
  return itemsIn(body.data).find(({ _id }) => _id === id)?.title ?? ABSENT;
}

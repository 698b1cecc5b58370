import { setTimeout as wait } from 'node:timers/promises';
import { time, type Client } from '../testbed/client.ts';
import { cycled } from '../../support/statistics.ts';
import { SECRET, TAG, type Published } from './publisher.ts';

/** Milliseconds after an unpublication in which a server that did not acknowledge it may still show the article. */
const OTHER_SERVER_MS = 1_000;

export class Seen {
  reads = 0;
  /** Unpublished articles that a server showed after it had acknowledged the unpublication itself. */
  readonly afterAcknowledgement: string[] = [];
  /** Unpublished articles that a server showed too late, although it had not acknowledged the unpublication itself. */
  readonly elsewhere: string[] = [];
  /** Answers with SECRET, which is in drafts only. */
  readonly drafts: string[] = [];
}

/** Reads all paths that may show an article, and checks that they show none that is hidden at that time. */
export async function read(
  seen: Seen,
  published: Published,
  { client, isOver }: { client: Client; isOver: () => boolean },
): Promise<void> {
  for (let index = 0; !isOver(); index += 1) {
    const { articles } = published;
    if (articles.length === 0) {
      await wait(50);
      continue;
    }
    const { id, slug, marker } = cycled(articles, Math.floor(index / 7));
    const path = cycled(
      [
        `/blog/slug/${slug}`,
        `/blog/id/${id}`,
        `/blogs/tag/${TAG}?limit=20&include=text`,
        '/blogs/latest?limit=20',
        `/blogs/search?q=${marker}`,
        `/feeds/feed.json?tag=${TAG}`,
        `/tags?prefix=${TAG}`,
      ],
      index,
    );
    const sentAt = performance.now();
    const outcome = await client.send({ path });
    if (outcome.kind === 'answered' && outcome.status === 200) {
      seen.reads += 1;
      judge(seen, published, { client, path, text: outcome.text, sentAt, answeredAt: outcome.at });
    } else await wait(20);
    await wait(2);
  }
}

function judge(
  seen: Seen,
  { hidden }: Published,
  read: { client: Client; path: string; text: string; sentAt: number; answeredAt: number },
): void {
  const { client, path, text, sentAt, answeredAt } = read;
  const answer = `${time()} ${client.url}${path}: ${text.slice(0, 300)}`;
  if (text.includes(SECRET)) seen.drafts.push(answer);
  for (const { article, from, by, until } of hidden) {
    if (sentAt < from || answeredAt > until || !shows(text, article)) continue;
    const since = `${Math.round(sentAt - from)} ms after ${article.marker} (${article.slug}) was unpublished`;
    if (by === client) seen.afterAcknowledgement.push(`${since} here: ${answer}`);
    else if (sentAt - from > OTHER_SERVER_MS) seen.elsewhere.push(`${since} elsewhere: ${answer}`);
  }
}

/** Whether the JSON names the article. A quotation mark follows a marker only at the end of a title or slug. */
function shows(text: string, { id, marker }: { id: string; marker: string }): boolean {
  return text.includes(id) || text.includes(`${marker}"`);
}

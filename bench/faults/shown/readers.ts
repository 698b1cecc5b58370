import { setTimeout as wait } from 'node:timers/promises';
import { time, type Client } from '../testbed/client.ts';
import { cycled } from '../../support/statistics.ts';
import { SECRET, TAG, type Published } from './publisher.ts';

/** Milliseconds for which other processes than the one that unpublished an article may still show it. */
const ELSEWHERE_MS = 1_000;

export class Seen {
  reads = 0;
  /** Unpublished articles that a server showed after it had acknowledged the unpublication itself. */
  readonly afterAcknowledgement: string[] = [];
  /** Unpublished articles that the other server showed more than a second after the unpublication. */
  readonly elsewhere: string[] = [];
  /** Answers with a text that was never published. */
  readonly drafts: string[] = [];
}

/** Reads all paths that may show an article, and checks that they show none that is hidden at that time. */
export async function read(
  seen: Seen,
  published: Published,
  { client, isOver }: { client: Client; isOver: () => boolean },
): Promise<void> {
  for (let at = 0; !isOver(); at += 1) {
    const { articles } = published;
    if (articles.length === 0) {
      await wait(50);
      continue;
    }
    const { id, slug, marker } = cycled(articles, Math.floor(at / 7));
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
      at,
    );
    const sentAt = performance.now();
    const outcome = await client.send({ path });
    if (outcome.kind === 'answered' && outcome.status === 200) {
      seen.reads += 1;
      judge(seen, published, { client, path, text: outcome.text, sentAt, at: outcome.at });
    } else await wait(20);
    await wait(2);
  }
}

function judge(
  seen: Seen,
  { hidden }: Published,
  read: { client: Client; path: string; text: string; sentAt: number; at: number },
): void {
  const { client, path, text, sentAt, at } = read;
  const answer = `${time()} ${client.url}${path}: ${text.slice(0, 300)}`;
  if (text.includes(SECRET)) seen.drafts.push(answer);
  for (const { article, from, by, until } of hidden) {
    if (sentAt < from || at > until || !shows(text, article)) continue;
    const since = `${Math.round(sentAt - from)} ms after ${article.marker} (${article.slug}) was unpublished`;
    if (by === client) seen.afterAcknowledgement.push(`${since} here: ${answer}`);
    else if (sentAt - from > ELSEWHERE_MS) seen.elsewhere.push(`${since} elsewhere: ${answer}`);
  }
}

/** A quote follows a marker only at the end of a title or slug. No marker is the end of another one. */
function shows(text: string, { id, marker }: { id: string; marker: string }): boolean {
  return text.includes(id) || text.includes(`${marker}"`);
}

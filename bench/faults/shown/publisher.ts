import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../testbed/client.ts';
import type { Tokens } from '../../support/newsroom.ts';
import { TrackedArticle, type KnownTransition } from '../writes/tracked-article.ts';

/** A text in every version that is never published. */
export const SECRET = 'never-published';
export const TAG = 'shown';

/** A period in which an article is not live, in milliseconds of `performance.now`. */
export interface Hidden {
  readonly article: TrackedArticle;
  /** When the unpublication was acknowledged, or when a later read showed it. */
  readonly from: number;
  /** The client that got the acknowledgement; null if there was none. */
  readonly by: Client | null;
  /** When the next publication was sent. */
  until: number;
}

export class Published {
  readonly hidden: Hidden[] = [];
  readonly articles: TrackedArticle[] = [];
  readonly errors: string[] = [];
}

export interface PublisherOptions {
  readonly marker: string;
  readonly clients: readonly Client[];
  readonly tokens: Tokens;
  readonly isOver: () => boolean;
}

/** Publishes, edits and unpublishes an article in a loop, each request on a random server. */
export async function publish(
  published: Published,
  { marker, clients, tokens, isOver }: PublisherOptions,
): Promise<void> {
  let lastClient = clients[0] as Client;
  const pick = () => (lastClient = clients[Math.floor(Math.random() * clients.length)] as Client);
  try {
    const article = await TrackedArticle.create(pick, tokens, { marker, tag: TAG });
    published.articles.push(article);
    for (let version = 1; !isOver(); version += 1) {
      const lastHidden = published.hidden.findLast((hidden) => hidden.article === article);
      const steps: readonly (() => Promise<KnownTransition | null>)[] = [
        () => article.edit(`version ${version}`),
        () => article.change('submit'),
        () => {
          if (lastHidden) lastHidden.until = performance.now();
          return article.change('publish');
        },
        () => article.edit(`${SECRET} ${version}`),
        () => article.change('unpublish'),
      ];
      for (const step of steps) if ((await step()) === null) return;
      const isAcknowledged = article.transitions.at(-1)?.how === 'acknowledged';
      published.hidden.push({
        article,
        from: performance.now(),
        until: Infinity,
        by: isAcknowledged ? lastClient : null,
      });
      // The wait gives readers the time to see the article, if a server still shows it.
      await wait(300 + Math.random() * 1_500);
    }
  } catch (error) {
    published.errors.push(String(error));
  }
}

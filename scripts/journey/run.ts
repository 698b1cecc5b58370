import type { Article } from '../support/articles.ts';
import { goThroughAccount } from './accounts/account-round.ts';
import type { Mailbox } from './accounts/mailbox.ts';
import { awaitDigest, readNotices } from './accounts/notices-round.ts';
import { editWhileLive, readHistory, removeOne, repeatCreation, unpublishOne } from './changes.ts';
import { UnexpectedAnswerError, type Run } from './client.ts';
import type { Credentials } from './credentials.ts';
import { giveCover } from './newsroom/covers.ts';
import { goThroughNewsroom } from './newsroom/newsroom-round.ts';
import { readEvents } from './newsroom/events.ts';
import { leave } from './newsroom/leaving.ts';
import { manageWebhook } from './newsroom/webhook-round.ts';
import { signUpPeople, type People } from './people.ts';
import { createArticle, publishArticle, submitArticle, type BlogRecord } from './publishing.ts';
import { readFeeds, readForSite, readLists, readOne, readSearch } from './reading.ts';
import { hashOf, type JourneyState } from './state.ts';

interface JourneyOptions extends Run {
  readonly credentials: Credentials;
  readonly articles: readonly Article[];
  /** Where the mails of the server arrive; without it, the steps that need mail are left out. */
  readonly mailbox: Mailbox | null;
  /** The time of the daily mail, in UTC; undefined if the run does not wait for it. */
  readonly digestAt: string | undefined;
}

/**
 * Creates, submits, publishes and reads every article. Then edits one of them while it is live, unpublishes another
 * and deletes a third, repeats the request that creates one, takes a new article through the newsroom, and
 * lets an author leave. The id of the run is appended to the names of users, and to slugs that are taken, so that runs do not conflict.
 *
 * @returns the records for `--verify`
 */
export async function runJourney({
  client,
  recorder,
  credentials,
  articles,
  mailbox,
  digestAt,
}: JourneyOptions): Promise<JourneyState> {
  const run = { client, recorder, id: Date.now().toString(36) };
  await client.call('health', 'GET', '/health');
  await client.call('check the API key', 'GET', '/auth/verify/apikey');
  const people = await signUpPeople(run, credentials);
  console.log(`run ${run.id}: ${people.author.email} writes, ${people.editor.email} publishes`);

  const written = await mapSkippingFailures(articles, (article) =>
    createArticle(run, people, article),
  );
  const suffixed = written.filter(({ isSuffixed }) => isSuffixed).length;
  if (suffixed > 0) console.log(`${suffixed} slugs were taken and got the ending -${run.id}`);
  const submitted = await mapSkippingFailures(written, (record) =>
    submitArticle(run, people, record),
  );
  const published = await mapSkippingFailures(submitted, (record) =>
    publishArticle(run, people, record),
  );
  const read = await mapSkippingFailures(published, (record) => readOne(run, record));
  await readLists(run, published);
  await readSearch(run, published);
  await readForSite(run, published, people.author.id);
  await readFeeds(run, published);

  const [edited, unpublished, removed] = read;
  const changes = [
    [edited, editWhileLive],
    [edited, readHistory],
    [unpublished, unpublishOne],
    [removed, removeOne],
  ] as const;
  for (const [record, change] of changes) {
    if (record) await mapSkippingFailures([record], () => change(run, people, record));
    else recorder.fail(change.name, 'no article has come this far');
  }
  await mapSkippingFailures([people], () => repeatCreation(run, people));
  await mapSkippingFailures([people], () => giveCover(run, people));
  await mapSkippingFailures([people], () => goThroughNewsroom(run, people));
  await mapSkippingFailures([people], () =>
    readEvents(run, people, { edited, unpublished, removed }),
  );
  await mapSkippingFailures([people], () => manageWebhook(run, people));
  await mapSkippingFailures([people], () => readNotices(run, people));
  await mapSkippingFailures(mailbox ? [mailbox] : [], (box) => goThroughAccount(run, people, box));
  await mapSkippingFailures([people], () => leave(run, people));
  if (mailbox && digestAt !== undefined) await awaitDigest(run, people, mailbox, digestAt);
  return stateOf(people, published, { unpublished, removed });
}

/** Skips an item after an unexpected response, which the client has recorded. */
async function mapSkippingFailures<Item, Result>(
  items: readonly Item[],
  action: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    try {
      results.push(await action(item));
    } catch (error) {
      if (!(error instanceof UnexpectedAnswerError)) throw error;
    }
  }
  return results;
}

function stateOf(
  { author }: People,
  published: readonly BlogRecord[],
  { unpublished, removed }: Record<'unpublished' | 'removed', BlogRecord | undefined>,
): JourneyState {
  const drafts = unpublished ? [unpublished] : [];
  const gone = [...drafts, ...(removed ? [removed] : [])];
  return {
    author: { email: author.email, password: author.password },
    live: published
      .filter((record) => !gone.includes(record))
      .map(({ id, slug, title, description, tags, text }) => {
        return { id, slug, title, description, tags, textSha256: hashOf(text) };
      }),
    drafts: drafts.map(({ id, title }) => ({ id, title })),
    gone: gone.map(({ id, slug }) => ({ id, slug })),
  };
}

import { setTimeout as wait } from 'node:timers/promises';
import type { Call } from '../../../scripts/support/own-server.ts';
import { Connections, type Answer } from '../../load/connections.ts';
import { publishArticle, type Blog, type Tokens } from '../../support/newsroom.ts';
import { cycled } from '../../support/statistics.ts';
import { isInTime } from '../../support/timing.ts';
import { articleOf } from '../content.ts';
import { atMost, timesOf, type Finding } from '../../support/findings.ts';
import type { Testbed } from '../testbed.ts';

const TAG = 'taken-down';
const LIST_PATH = '/blogs/latest?limit=20';
const TAG_PATH = `/blogs/tag/${TAG}?limit=20`;
const GONE_MS = 1_000;
/** Milliseconds for which an article is watched after its takedown: purge.mjs repeats its purge after three seconds. */
const WATCHED_MS = 4_000;
const SHOWN_PATIENCE_MS = 3_000;
/** Milliseconds between two reads of a path until the change shows there. */
const POLL_MS = 5;
/** Milliseconds between two reads of a path afterwards, while it is watched. */
const WATCH_POLL_MS = 50;
/** Longest random pause in ms: without pauses the series might keep step with the background jobs of Pressroom. */
const PAUSE_MS = 500;

/** A path at which an article may be shown. */
interface Place {
  readonly name: 'article' | 'list' | 'tagList';
  readonly path: string;
  readonly isShown: (answer: Answer) => boolean;
}

/** What was seen of an article at one place. Times are in milliseconds; Infinity if the change was not seen in time. */
interface Sighting {
  readonly name: Place['name'];
  readonly shownMs: number;
  readonly goneMs: number;
  /** Number of times that the article was shown again. */
  readonly returns: number;
}

/**
 * Unpublishes and deletes articles, and reads again and again, through Varnish, the places where they were shown.
 * Measures how long these still show the articles, and whether any shows one again later.
 */
export async function measureTakenDown(testbed: Testbed): Promise<Finding[]> {
  const { plan, edge } = testbed;
  const connections = new Connections(edge.url, 32);
  const numbers = Array.from({ length: plan.takenDown }, (_, number) => number).values();
  const watched: Promise<Sighting[]>[] = [];
  const runSeries = async () => {
    // The series share the iterator, so each number is taken once.
    for (const number of numbers) {
      const takedown = await publishAndTakeDown(testbed, connections, number);
      watched.push(takedown.watched);
      await takedown.whenGone;
      await wait(Math.random() * PAUSE_MS);
    }
  };
  try {
    await Promise.all(Array.from({ length: plan.series }, runSeries));
    return findingsOf((await Promise.all(watched)).flat());
  } finally {
    connections.close();
  }
}

/** Publishes an article, waits until it is shown, and takes it down. `whenGone` resolves once it is gone everywhere. */
async function publishAndTakeDown(
  { origin, content }: Testbed,
  connections: Connections,
  number: number,
) {
  const { token } = cycled(content.authors, number);
  const tokens: Tokens = { author: token, admin: content.admin };
  const article = { ...articleOf(number), title: `Taken down ${number}`, tags: [TAG] };
  const blog = await publishArticle(origin.call, tokens, article);
  const publishedAt = performance.now();
  const read = ({ path, isShown }: Place) =>
    connections
      .send({ path, headers: { 'x-api-key': cycled(content.keys, number) } })
      .then(isShown);
  const shown = await Promise.all(
    placesOf(blog).map(async (place) => {
      const shownMs = await msUntil(true, () => read(place), publishedAt, SHOWN_PATIENCE_MS);
      return { place, shownMs };
    }),
  );
  await takeDown(origin.call, tokens, blog, number);
  const takenDownAt = performance.now();
  const gone = shown.map(({ place, shownMs }) => ({
    place,
    shownMs,
    // If the article was never shown, nothing can be measured.
    goneMs:
      shownMs === Infinity
        ? Promise.resolve(Infinity)
        : msUntil(false, () => read(place), takenDownAt, WATCHED_MS),
  }));
  return {
    whenGone: Promise.all(gone.map(({ goneMs }) => goneMs)),
    watched: Promise.all(
      gone.map(async ({ place, shownMs, goneMs }): Promise<Sighting> => ({
        name: place.name,
        shownMs,
        goneMs: await goneMs,
        returns: await countReturns(() => read(place), takenDownAt + WATCHED_MS),
      })),
    ),
  };
}

/** Takes an article down: articles with an even number are unpublished, the others are deleted. */
function takeDown(
  call: Call,
  { author, admin }: Tokens,
  { _id }: Blog,
  number: number,
): Promise<unknown> {
  return number % 2 === 0
    ? call('PUT', `/blog/editor/unpublish/id/${_id}`, { token: admin })
    : call('DELETE', `/blog/author/id/${_id}`, { token: author });
}

function placesOf({ slug }: Blog): Place[] {
  const isIn = ({ status, body }: Answer) => {
    if (status !== 200) throw new Error(`a list was answered by ${status} ${body.slice(0, 200)}`);
    return body.includes(slug);
  };
  return [
    { name: 'article', path: `/blog/slug/${slug}`, isShown: isAnArticle },
    { name: 'list', path: LIST_PATH, isShown: isIn },
    { name: 'tagList', path: TAG_PATH, isShown: isIn },
  ];
}

function isAnArticle({ status, body }: Answer): boolean {
  if (status === 200) return true;
  if (status === 404) return false;
  throw new Error(`an article was answered by ${status} ${body.slice(0, 200)}`);
}

/** @returns the milliseconds since `startedAt`; Infinity if the condition does not hold in time */
async function msUntil(
  wanted: boolean,
  isShown: () => Promise<boolean>,
  startedAt: number,
  patienceMs: number,
): Promise<number> {
  const withinMs = startedAt + patienceMs - performance.now();
  const isAsWanted = async () => (await isShown()) === wanted;
  // The time ends when the answer has arrived, so it may be a little too long.
  const isSeen = await isInTime(isAsWanted, { withinMs, everyMs: POLL_MS });
  return isSeen ? performance.now() - startedAt : Infinity;
}

async function countReturns(isShown: () => Promise<boolean>, until: number): Promise<number> {
  let returns = 0;
  while (performance.now() < until) {
    if (await isShown()) returns += 1;
    await wait(WATCH_POLL_MS);
  }
  return returns;
}

function findingsOf(sightings: readonly Sighting[]): Finding[] {
  const of = (name: Place['name']) => sightings.filter((sighting) => sighting.name === name);
  const gone = (name: Place['name']) => of(name).map(({ goneMs }) => goneMs);
  const returns = sightings.reduce((sum, sighting) => sum + sighting.returns, 0);
  const inLists = [...of('list'), ...of('tagList')].map(({ shownMs }) => shownMs);
  return [
    timesOf('time until both lists show a published article', inLists),
    timesOf('time until an unpublished or deleted article is gone', gone('article'), GONE_MS),
    timesOf('time until the list does not show this article', gone('list'), GONE_MS),
    timesOf('time until the list of its tag does not show it', gone('tagList'), GONE_MS),
    atMost(
      `reads that showed one of ${gone('article').length} articles again, in ${WATCHED_MS / 1_000} s`,
      returns,
      0,
    ),
  ];
}

import type { LoggedEvent, Stored, StoredBlog } from './stored.ts';
import type { KnownTransition, TrackedArticle } from './tracked-article.ts';
import type { Written } from './writer.ts';

/** Differences between what was acknowledged and what is stored; each is a line of text. */
export interface Comparison {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly revisions: readonly string[];
  readonly events: readonly string[];
  readonly schedules: readonly string[];
}

/** The default of REVISIONS_KEEP. */
const REVISIONS_KEPT = 50;

const EVENT_TYPES: Readonly<Record<string, readonly string[]>> = {
  submit: ['blog.submitted'],
  publish: ['blog.published', 'blog.updated'],
  unpublish: ['blog.unpublished'],
};

/** Compares what was acknowledged with what is stored. Call it after the last fault has been healed. */
export function compare(written: Written, stored: Stored): Comparison {
  const { articles, messages, scheduled } = written;
  const events = Map.groupBy(stored.events, ({ data }) => data._id);
  const perArticle = articles.map((article) => {
    const blog = stored.blogs.get(article.id);
    const logged = events.get(article.id) ?? [];
    const isScheduled = scheduled.some((each) => each.article === article);
    return blog
      ? compareArticle(article, blog, logged, isScheduled)
      : { lost: [`${article.id} (${article.marker}) is not stored`], revisions: [], events: [] };
  });
  const created = articles.flatMap(({ marker, comments }) => [marker, ...comments]);
  const counted = [...created, ...messages].map(
    (text) => [text, stored.counts.get(text) ?? 0] as const,
  );
  return {
    lost: [
      ...perArticle.flatMap(({ lost }) => lost),
      ...articles.flatMap(({ violations }) => violations),
      ...counted.filter(([, count]) => count === 0).map(([text]) => `"${text}" is not stored`),
    ],
    doubled: counted
      .filter(([, count]) => count > 1)
      .map(([text, count]) => `"${text}" is stored ${count} times`),
    revisions: perArticle.flatMap(({ revisions }) => revisions),
    events: [...perArticle.flatMap((each) => each.events), ...gapsIn(stored.events)],
    schedules: scheduled.flatMap(({ article, publishAt }) => {
      const { events: transitions = [] } = stored.blogs.get(article.id) ?? {};
      const count = transitions.filter(({ move }) => move === 'publish').length;
      const due = publishAt.toISOString();
      return count === 1 ? [] : [`${article.id}, due ${due}, was published ${count} times`];
    }),
  };
}

function compareArticle(
  article: TrackedArticle,
  { rev, draftText, events, revisions }: StoredBlog,
  logged: readonly LoggedEvent[],
  isScheduled: boolean,
) {
  const { id, marker, transitions, text } = article;
  // A scheduled publication adds one transition.
  const expected = transitions.length + (isScheduled ? 1 : 0);
  const say = (what: string) => `${id} (${marker}): ${what}`;
  const isOnce = (
    { name, rev: number }: KnownTransition,
    records: readonly { move: string; rev: number }[],
  ) => records.filter((each) => each.rev === number && each.move === name).length === 1;
  const lost = transitions
    .filter((transition) => !isOnce(transition, events))
    .map(({ name, rev: number, how }) => say(`${name} ${number} (${how}) must be in history once`));
  const isConsecutive = events.every((event, at) => event.rev === (events[0]?.rev ?? 0) + at);
  if (events.length !== expected || !isConsecutive || rev !== events.at(-1)?.rev) {
    const list = events.map(({ move, rev: number }) => `${number} ${move}`).join(', ');
    lost.push(say(`${expected} transitions are known; stored: revision ${rev}, with ${list}`));
  }
  if (draftText !== text) lost.push(say(`the text is "${draftText}" instead of "${text}"`));
  return {
    lost,
    revisions: transitions
      .filter(({ name }) => name === 'submit' || name === 'publish')
      .slice(-REVISIONS_KEPT)
      .filter((transition) => !isOnce(transition, revisions))
      .map(({ name, rev: number }) => say(`${name} ${number} does not have exactly one revision`)),
    events: eventProblems(transitions, logged).map(say),
  };
}

function eventProblems(
  transitions: readonly KnownTransition[],
  logged: readonly LoggedEvent[],
): string[] {
  const missing = transitions
    .filter(({ name }) => name in EVENT_TYPES)
    .filter(({ name, rev }) => {
      const types = logged.filter(({ data }) => data.rev === rev).map(({ type }) => type);
      return types.length !== 1 || !EVENT_TYPES[name]?.includes(types[0] ?? '');
    })
    .map(({ name, rev }) => `${name} ${rev} does not have exactly one event in the event log`);
  const isOrdered = logged.every(({ data }, at) => data.rev > (logged[at - 1]?.data.rev ?? -1));
  const order = logged.map(({ seq, data }) => `${seq}: ${data.rev}`).join(', ');
  return isOrdered ? missing : [...missing, `its events are not in order: ${order}`];
}

function gapsIn(events: readonly LoggedEvent[]): string[] {
  return events
    .filter(({ seq }, at) => at > 0 && seq !== (events[at - 1]?.seq ?? 0) + 1)
    .map(({ seq }) => `no event has the number ${seq - 1}`);
}

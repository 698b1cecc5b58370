import { Types, type mongo } from 'mongoose';
import type { BlogEvent } from '../../../src/blog/history/blog-event.schema.js';
import { BlogTransitionService } from '../../../src/blog/core/transitions/blog-transition.service.js';
import { ScheduleRunner } from '../../../src/blog/schedule/schedule-runner.service.js';
import { blogIn, type State } from '../../support/factories.js';
import type { TestApp } from '../../support/start-app.js';
import { HOUR } from '../../support/time/clock.js';
import { storedBlog, type BlogFixture } from '../core/fixture.js';

/** Times of a schedule, in milliseconds from now. */
export interface Offsets {
  readonly publish?: number;
  readonly unpublish?: number;
}

/** Schedules a blog without the API, which refuses times in the past or within a minute. */
export async function schedule(
  { app, editor }: Pick<BlogFixture, 'app' | 'editor'>,
  id: string,
  { publish, unpublish }: Offsets,
): Promise<void> {
  await app
    .get(BlogTransitionService)
    .apply(publish === undefined ? 'scheduleUnpublish' : 'schedule', {
      id: new Types.ObjectId(id),
      actor: new Types.ObjectId(editor._id),
      ifMatch: null,
      details: {
        ...(publish === undefined ? {} : { publishAt: new Date(Date.now() + publish) }),
        ...(unpublish === undefined ? {} : { unpublishAt: new Date(Date.now() + unpublish) }),
      },
    });
}

/** Creates a blog whose scheduled transition has been due for an hour. @returns its id */
export async function dueBlog(fixture: BlogFixture, state: State = 'in review'): Promise<string> {
  const { _id } = await blogIn(state, fixture.author, fixture.editor);
  await schedule(fixture, _id, state === 'live' ? { unpublish: -HOUR } : { publish: -HOUR });
  return _id;
}

/** Makes all due transitions, as a run of the background job does. */
export async function runDueTransitions({ app }: Pick<TestApp, 'app'>): Promise<void> {
  await app.get(ScheduleRunner).run(new AbortController().signal);
}

/** The events of a blog since it was scheduled; the outbox relay must not have run. */
export async function eventsSinceScheduled(db: mongo.Db, id: string): Promise<BlogEvent[]> {
  const events = (await storedBlog(db, id))['events'] as BlogEvent[];
  const at = events.findLastIndex(({ move: transition }) => transition.startsWith('schedule'));
  return events.slice(at + 1);
}

/** The level and message of each log line of the schedule runner. */
export function runnerLog({ log }: Pick<TestApp, 'log'>): { level: number; msg: string }[] {
  return log
    .map((line) => JSON.parse(line) as { level: number; msg: string; context?: string })
    .filter(({ context }) => context === ScheduleRunner.name)
    .map(({ level, msg }) => ({ level, msg }));
}

import { expect } from '@jest/globals';
import { Types, type mongo } from 'mongoose';
import type { HistoryItemView } from '../../../../src/blog/core/views/history-item.view.js';
import { RevisionSweep } from '../../../../src/blog/revisions/store/revision-sweep.service.js';
import type { RevisionView } from '../../../../src/blog/revisions/views/revision.view.js';
import { FIELD_NAMES, type BlogBody } from '../../../support/blog-fields.js';
import type { TestApp } from '../../../support/start-app.js';
import { storedBlog, type BlogFixture } from '../../core/fixture.js';

type HasAuthor = Pick<BlogFixture, 'author'>;

/** The revisions of a blog, oldest first, each read by a request of its own. */
export async function revisionsOf({ author }: HasAuthor, id: string): Promise<RevisionView[]> {
  const path = `/blog/author/revisions/id/${id}`;
  const { body } = await author.client.get<RevisionView[]>(`${path}?limit=100`);
  const revisions: RevisionView[] = [];
  for (const { rev } of body.data.toReversed()) {
    revisions.push((await author.client.get<RevisionView>(`${path}/${rev}`)).body.data);
  }
  return revisions;
}

/**
 * Expects one revision for each submission, correction and publication in the history. The history is
 * exact, because a transition and its event are one write.
 *
 * @returns the revisions, oldest first
 */
export async function expectRevisionForEachTransition(
  fixture: HasAuthor,
  id: string,
): Promise<RevisionView[]> {
  const path = `/blog/author/history/id/${id}?limit=100`;
  const { body } = await fixture.author.client.get<HistoryItemView[]>(path);
  const transitions = body.data
    .toReversed()
    .filter(({ move: transition }) => ['submit', 'correct', 'publish'].includes(transition))
    .map(({ rev, move: transition, by, at }) => ({ rev, move: transition, by, at }));
  const revisions = await revisionsOf(fixture, id);
  expect(
    revisions.map(({ rev, move: transition, by, at }) => ({ rev, move: transition, by, at })),
  ).toEqual(transitions);
  return revisions;
}

/** The blog fields of a revision, without number, transition, user and time. */
export function fieldsOf(revision: RevisionView): Partial<BlogBody> {
  return Object.fromEntries(
    FIELD_NAMES.flatMap((name) => (name in revision ? [[name, revision[name]]] : [])),
  );
}

/** How many contents of a blog are stored. */
export async function contentCount(db: mongo.Db, id: string): Promise<number> {
  return db.collection('blog_revisions').countDocuments({ blog: new Types.ObjectId(id) });
}

/** How many contents the revisions of a blog name. */
export async function namedCount(db: mongo.Db, id: string): Promise<number> {
  const { revisions } = await storedBlog(db, id);
  return new Set(
    (revisions as { content: Types.ObjectId }[]).map(({ content }) => content.toHexString()),
  ).size;
}

/** Sets `sweepAt` of all contents that wait for the sweep to a past time, so that they are due. */
export async function makeDue(db: mongo.Db): Promise<void> {
  const $set = { sweepAt: new Date(Date.now() - 1_000) };
  await db.collection('blog_revisions').updateMany({ sweepAt: { $exists: true } }, { $set });
}

/** Runs the sweep of a server. @returns its report, or null if it has removed nothing */
export async function sweep({ app }: Pick<TestApp, 'app'>): Promise<string | null> {
  return app.get(RevisionSweep).run(new AbortController().signal);
}

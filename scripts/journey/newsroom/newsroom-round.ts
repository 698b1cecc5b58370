import type { People, WritingRun } from '../people.ts';
import { createArticle } from '../publishing.ts';
import { correctAndPublish } from './release.ts';
import { previewOnce, trashAndPurge } from './removal.ts';
import { discuss, returnWithReason, submitAgain } from './review.ts';

/**
 * Takes one article through a review with a return and comments, through corrections, a schedule, publication, a
 * preview and the trash. At the end the article is purged.
 *
 * @throws UnexpectedAnswerError after recording the failure, because each step depends on those before it
 */
export async function goThroughNewsroom(run: WritingRun, people: People): Promise<void> {
  const slug = `newsroom-${run.id}`;
  const record = await createArticle(run, people, {
    title: `A day in the newsroom, ${run.id}`,
    description: 'Returned, discussed, corrected, scheduled, published and deleted.',
    slug,
    tags: [slug],
    html: '<p>Whoever reads this text first is an editor.</p>',
  });
  await returnWithReason(run, people, record);
  await discuss(run, people, record);
  await submitAgain(run, people, record);
  await correctAndPublish(run, people, record);
  await previewOnce(run, people, record);
  await trashAndPurge(run, people, record);
}

import type { UpdateStage } from '../core/blog.schema.js';
import { eventsWithoutNotes } from '../history/blog-event.schema.js';

/**
 * Marks a blog for the purge, and takes it out of the trash: from now on it cannot be restored. The
 * mark changes neither the state nor the revision number, so there is no event for it. The notes go at
 * once, so that the outbox relay carries none to `blog_events` after they were removed there.
 */
export const MARK: readonly UpdateStage[] = [
  { $set: { purging: true, trashedAt: '$$REMOVE', events: eventsWithoutNotes() } },
];

export const UNMARK: readonly UpdateStage[] = [{ $unset: 'purging' }];

/**
 * Removes the data of reviews and the Markdown from a live blog without pending edits, and all its
 * revisions except the publications.
 */
export const REMOVE_UNPUBLISHED: readonly UpdateStage[] = [
  {
    $set: {
      // A blog of an older version has no `revisions` before its first transition (see
      // RevisionStore.adopt).
      revisions: {
        $cond: [
          { $isArray: '$revisions' },
          { $filter: { input: '$revisions', cond: { $eq: ['$$this.move', 'publish'] } } },
          '$$REMOVE',
        ],
      },
      returned: '$$REMOVE',
      submissionNote: '$$REMOVE',
      contributors: '$$REMOVE',
      submitters: '$$REMOVE',
      draftMarkdown: '$$REMOVE',
      markdownDigest: '$$REMOVE',
      generatedSlug: '$$REMOVE',
      assignedTo: '$$REMOVE',
      events: eventsWithoutNotes(),
    },
  },
];

import { dropBlockingIndexes } from '../../database/migrations/blocking-indexes.js';
import type { Migration } from '../../database/migrations/migration.js';
import { ReportBuilder } from '../../database/migrations/report-builder.js';
import { readRecords, updateInRounds } from '../../database/migrations/update-records.js';
import { NOT_REMOVED } from '../events/event-stages.js';
import { HTML_VERSION } from '../html/clean-html.js';
import { planBlog } from './blog-plan.js';
import { RECORD_FIELDS } from './blog-shape.js';
import { readSlugClaims, SLUG_CLAIM_FIELDS } from './slug-claims.js';

/**
 * Brings blogs of an older server into the shape of this one, and those of an older HTML policy. The
 * policy's version is in the name, so that a new policy is a new migration. `status` is in the name
 * as well: readers see a blog only if both flags allow it, and a database that an earlier version has
 * migrated may hold records without `status`.
 *
 * What was taken down by `published` or `status` alone gets the shape of a draft, or of a deleted
 * blog: it loses its live version, and nothing of it becomes public.
 *
 * A text index of the older server stays: it hinders nothing, and that server can go on using it.
 */
export const blogMigration: Migration = {
  name: `2026-11-blogs-status-html-${HTML_VERSION}`,
  async run(db, { dryRun }) {
    const blogs = db.collection('blogs');
    const report = new ReportBuilder('blog');
    const dropped = await dropBlockingIndexes(blogs, 'slug', {
      dryRun,
      reason: 'it would keep the slugs of deleted blogs from being used again',
    });
    for (const line of dropped) report.addChanged(line);
    await updateInRounds(blogs, {
      dryRun,
      filter: NOT_REMOVED,
      fields: [...RECORD_FIELDS, 'events'],
      report,
      prepare: async () => {
        const claims = await readSlugClaims(() =>
          readRecords(blogs, SLUG_CLAIM_FIELDS, NOT_REMOVED),
        );
        return (blog) => planBlog(blog, claims);
      },
    });
    return report.build();
  },
};

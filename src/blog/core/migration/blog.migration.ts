import { dropBlockingIndexes } from '../../../platform/database/migrations/blocking-indexes.js';
import type { Migration } from '../../../platform/database/migrations/migration.js';
import { ReportBuilder } from '../../../platform/database/migrations/report-builder.js';
import {
  readRecords,
  updateInRounds,
} from '../../../platform/database/migrations/update-records.js';
import { NOT_REMOVED } from '../blog.schema.js';
import { HTML_VERSION } from '../html/clean-html.js';
import { TEXT_VERSION } from '../text/words.js';
import { planBlog } from './blog-plan.js';
import { RECORD_FIELDS } from './migrated-blog.js';
import { readSlugClaims, SLUG_CLAIM_FIELDS } from './slug-claims.js';

/**
 * Brings the blogs of an older server, of an older HTML policy, and of older rules for slugs, tags and
 * words, into the form of this version. A start runs a migration only if its name is not recorded yet,
 * so the name contains the versions of the policy and of the rules. It contains `live-times` because an earlier form of this migration left live blogs without
 * `live.updatedAt`. It does not contain EMBED_HOSTS: after a change of EMBED_HOSTS, texts are cleaned
 * when they are served, until the operator runs `migrate`.
 *
 * A blog that was hidden by setting only `published` or `status` becomes a draft or a deleted blog: its
 * live version is removed, and nothing of it becomes public.
 *
 * A text index of the older server is not dropped: it does no harm, and that server may still use it.
 */
export const blogMigration: Migration = {
  name: `2026-11-blogs-live-times-html-${HTML_VERSION}-text-${TEXT_VERSION}`,
  async run(db, { dryRun, beforeWrite, embedHosts = [] }) {
    const blogs = db.collection('blogs');
    const report = new ReportBuilder('blog');
    const indexLines = await dropBlockingIndexes(blogs, 'slug', {
      dryRun,
      beforeWrite,
      reason: 'it would keep the slugs of deleted blogs from being used again',
    });
    for (const line of indexLines) report.addChanged(line);
    await updateInRounds(blogs, {
      dryRun,
      filter: NOT_REMOVED,
      fields: [...RECORD_FIELDS, 'events'],
      report,
      beforeWrite,
      prepare: async () => {
        const claims = await readSlugClaims(() =>
          readRecords(blogs, SLUG_CLAIM_FIELDS, NOT_REMOVED),
        );
        return (blog) => planBlog(blog, claims, embedHosts);
      },
    });
    return report.build();
  },
};

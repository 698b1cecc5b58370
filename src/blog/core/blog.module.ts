import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { BackgroundModule } from '../../platform/jobs/background.module.js';
import { EventLogModule } from '../../events/log/event-log.module.js';
import { IdempotencyModule } from '../../platform/idempotency/idempotency.module.js';
import { UserModule } from '../../user/user.module.js';
import { MediaRecordsModule } from '../media/media-records.module.js';
import { BlogStore } from './blog-store.js';
import { Blog, BlogSchema } from './blog.schema.js';
import { BlogDiffService } from '../revisions/diff/blog-diff.service.js';
import { BlogComment, BlogCommentSchema } from '../comments/store/blog-comment.schema.js';
import { CommentRelay } from '../comments/store/comment-relay.service.js';
import { CommentStore } from '../comments/store/comment-store.js';
import { AuthorRenames } from '../history/author-renames.js';
import { BlogActs } from '../history/blog-acts.service.js';
import { STORED_BLOG_EVENT, StoredBlogEventSchema } from '../history/blog-event.schema.js';
import { MarkdownConverter } from './markdown/markdown-converter.js';
import { BlogHistoryService } from '../history/blog-history.service.js';
import { NoteStore } from '../history/note-store.js';
import { OutboxRelay } from '../history/outbox-relay.service.js';
import { FormerAuthorService } from '../trash/former-author.service.js';
import { BlogImportService } from './import/blog-import.service.js';
import { HtmlCleaner } from './html/html-cleaner.js';
import { EditorialBlogService } from './lists/editorial-blog.service.js';
import { BlogReaders } from './lists/blog-readers.service.js';
import { EditorialListService } from './lists/editorial-list.service.js';
import { BlogTransitionService } from './transitions/blog-transition.service.js';
import { EditBodyService } from './transitions/edit-body.service.js';
import { BlogPreview, BlogPreviewSchema } from '../previews/blog-preview.schema.js';
import { PreviewStore } from '../previews/preview-store.js';
import {
  RevisionContent,
  RevisionContentSchema,
} from '../revisions/store/revision-content.schema.js';
import { RevisionStore } from '../revisions/store/revision-store.js';
import { BlogPurgeService } from '../trash/blog-purge.service.js';
import { SearchIndexer } from '../public/search/index/search-indexer.js';
import { SearchStemmer } from '../public/search/index/search-stemmer.js';
import { SpellingPruning } from '../public/search/index/spelling-pruning.job.js';
import { Spelling, SpellingSchema } from '../public/search/index/spelling.schema.js';
import { ChangeFolding } from '../public/counts/change-folding.service.js';
import { EditedFlags } from '../public/counts/comparison/edited-flags.service.js';
import { Folding, FoldingSchema } from '../public/counts/folding.schema.js';
import { ListComparison } from '../public/counts/comparison/list-comparison.job.js';
import { ListCounts } from '../public/counts/list-counts.service.js';
import { ListRecord, ListRecordSchema } from '../public/counts/list-record.schema.js';
import { PurgeJob } from '../trash/purge.job.js';
import { AccountJob, AccountJobSchema } from '../jobs/account-job.schema.js';
import { AccountJobs } from '../jobs/account-jobs.service.js';
import { AuthorBlogs } from '../jobs/author-blogs.service.js';
import { RevisionSweep } from '../revisions/store/revision-sweep.service.js';

const SERVICES = [
  AccountJobs,
  AuthorBlogs,
  BlogActs,
  BlogDiffService,
  BlogHistoryService,
  BlogImportService,
  BlogTransitionService,
  BlogStore,
  BlogPurgeService,
  BlogReaders,
  CommentStore,
  ChangeFolding,
  EditBodyService,
  EditorialBlogService,
  EditorialListService,
  FormerAuthorService,
  HtmlCleaner,
  ListCounts,
  MarkdownConverter,
  NoteStore,
  PreviewStore,
  RevisionStore,
  SearchIndexer,
  SearchStemmer,
  EditedFlags,
];

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: AccountJob.name, schema: AccountJobSchema },
      { name: Blog.name, schema: BlogSchema },
      { name: BlogComment.name, schema: BlogCommentSchema },
      { name: BlogPreview.name, schema: BlogPreviewSchema },
      { name: Folding.name, schema: FoldingSchema },
      { name: ListRecord.name, schema: ListRecordSchema },
      { name: RevisionContent.name, schema: RevisionContentSchema },
      { name: Spelling.name, schema: SpellingSchema },
      { name: STORED_BLOG_EVENT, schema: StoredBlogEventSchema },
    ]),
    UserModule,
    MediaRecordsModule,
    BackgroundModule,
    EventLogModule,
    IdempotencyModule,
  ],
  providers: [
    ...SERVICES,
    AuthorRenames,
    CommentRelay,
    ListComparison,
    OutboxRelay,
    PurgeJob,
    RevisionSweep,
    SpellingPruning,
  ],
  exports: [...SERVICES, MediaRecordsModule, MongooseModule],
})
export class BlogModule {}

import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, mongo, Types } from 'mongoose';
import { CacheCoherenceService } from '../../../platform/caching/cache-coherence.service.js';
import { Clock } from '../../../platform/clock.js';
import { OperatorError } from '../../../platform/config/operator.error.js';
import { BY_ID, withHint } from '../../../platform/database/query-hints.js';
import { BLOG } from '../blog.cache.js';
import { SLUG_INDEX } from '../blog.indexes.js';
import { Blog } from '../blog.schema.js';
import { BlogStore } from '../blog-store.js';
import { RevisionStore } from '../../revisions/store/revision-store.js';
import { ChangeFolding } from '../../public/counts/change-folding.service.js';
import { SearchIndexer } from '../../public/search/index/search-indexer.js';
import { importedDraft, importedLive, type NewImport } from './imported-blog.js';

/** The fields of a stored blog that an import compares. */
export type KnownBlog = Pick<Blog, '_id' | 'title' | 'slugs'>;

const KNOWN_BLOG_PROJECTION = { projection: { title: 1, slugs: 1 } } as const;

/**
 * Stores articles that were written elsewhere. Readers, authors and editors see them like any other
 * article. Imports do not appear in the event log, so no webhook is called.
 */
@Injectable()
export class BlogImportService {
  private readonly blogs: mongo.Collection<Blog>;

  constructor(
    @InjectModel(Blog.name) blogs: Model<Blog>,
    private readonly store: BlogStore,
    private readonly revisions: RevisionStore,
    private readonly indexer: SearchIndexer,
    private readonly folding: ChangeFolding,
    private readonly coherence: CacheCoherenceService,
    private readonly clock: Clock,
  ) {
    this.blogs = blogs.collection as unknown as mongo.Collection<Blog>;
  }

  /** The blogs with these ids, those in the trash included. */
  async findByIds(ids: readonly Types.ObjectId[]): Promise<KnownBlog[]> {
    return this.blogs
      .find<KnownBlog>({ _id: { $in: [...ids] } }, { ...KNOWN_BLOG_PROJECTION, ...BY_ID })
      .toArray();
  }

  /** The blogs that have one of these slugs, or once had it. */
  async findBySlugs(slugs: readonly string[]): Promise<KnownBlog[]> {
    const filter = { slugs: { $in: [...slugs], $gt: '' } };
    return withHint(SLUG_INDEX, (hint) =>
      this.blogs.find<KnownBlog>(filter, { ...KNOWN_BLOG_PROJECTION, ...hint }).toArray(),
    );
  }

  /**
   * Inserts new blogs. If the process is killed meanwhile, some blogs are stored completely, and
   * the others not at all.
   *
   * @returns the ids of the blogs that were not inserted, because another blog has the id or the
   *   slug
   * @throws OperatorError when the process was suspended meanwhile
   */
  async insert(imports: readonly NewImport[]): Promise<Types.ObjectId[]> {
    const now = this.clock.now();
    const drafts = imports.map((each) => importedDraft(each, now));
    const published = drafts.filter((draft) => draft.publishedAt);
    const words = await this.indexer.wordsOfAll(published);
    const contents = await this.revisions.storeNew(published);
    const live = published.flatMap((draft, index) => {
      const content = contents.ids[index];
      return content ? [importedLive(draft, { now, content, words: words[index] ?? [] })] : [];
    });
    const blogs = [...drafts.filter((draft) => !draft.publishedAt), ...live];
    // If the process was suspended, the sweep may have removed the contents.
    if (!contents.isInTime()) throw new OperatorError('The import was suspended: run it again.');
    const changes = published.map(({ _id }) => BLOG.record(_id));
    const refused = await this.coherence.write(changes, (session) =>
      this.store.insertMany(blogs, session),
    );
    // A read adds the changes that are not folded yet, and an import may make many.
    await this.folding.fold();
    return refused.map(({ _id }) => _id);
  }
}

import { isDeepStrictEqual } from 'node:util';
import type { mongo } from 'mongoose';
import { Clock } from '../../../../platform/clock.js';
import type { SearchLanguage } from '../../../../platform/config/values/search-language.js';
import type {
  Migration,
  MigrationOptions,
} from '../../../../platform/database/migrations/migration.js';
import { ReportBuilder } from '../../../../platform/database/migrations/report-builder.js';
import { IS_LIVE, type Blog } from '../../../core/blog.schema.js';
import { cleanHtml, htmlVersionOf } from '../../../core/html/clean-html.js';
import type { EmbedHosts } from '../../../core/html/policy/embeds.js';
import { blogMigration } from '../../../core/migration/blog.migration.js';
import { articleWords, type ArticleWords } from './article-words.worker.js';
import { SpellingStore } from './spelling-store.js';
import type { Spelling } from './spelling.schema.js';

/**
 * Version of the words. Increment it with every change of what `articleWords` returns: existing
 * articles are then indexed again.
 */
const WORDS_VERSION = 4;

/** Number of blogs per batch: about 20 MB with texts of 100 kB. */
const BATCH = 100;

type IndexedBlog = Pick<Blog, '_id' | 'text' | 'htmlVersion'> & {
  readonly live: Pick<
    NonNullable<Blog['live']>,
    'title' | 'tags' | 'description' | 'words' | 'updatedAt'
  >;
};

const FIELDS = [
  'text',
  'htmlVersion',
  'live.title',
  'live.tags',
  'live.description',
  'live.updatedAt',
];

/**
 * Gives live blogs the words by which a search finds them, as the stemmer of `SEARCH_LANGUAGE` reduces
 * them. The migration's name contains the language, so it runs again after a change of the setting. It
 * also runs again after every new migration of blogs. Readers see no change, so the revision number
 * of a blog stays the same.
 */
export function searchMigration(language: SearchLanguage): Migration {
  const base = `${blogMigration.name}-search`;
  const name = `${base}-${WORDS_VERSION}-${language}`;
  return {
    name,
    async run(db, { dryRun, beforeWrite, embedHosts = [] }) {
      const report = new ReportBuilder('blog');
      const records = db.collection<{ _id: string }>('migrations');
      // The first run reports no number, because a dry run of all migrations cannot count the blogs
      // that the other migrations will make live.
      const isFirst = (await records.findOne({ _id: name })) === null;
      const indexer = new StoredBlogIndexer(db, language, embedHosts);
      if (isFirst && (await indexer.hasBlogs())) {
        report.addChanged({ kind: 'search', line: `articles indexed for the search: ${language}` });
      }
      let batch: IndexedBlog[] = [];
      const indexBatch = async () => {
        const changed = await indexer.index(batch, { dryRun, beforeWrite });
        for (let count = 0; !isFirst && count < changed; count += 1) {
          report.count('indexed for the search');
        }
        batch = [];
      };
      for await (const blog of indexer.read()) {
        if (batch.push(blog) >= BATCH) await indexBatch();
      }
      await indexBatch();
      // This run has replaced the words of the former language. So the migration of that language
      // must run again if the setting is changed back.
      beforeWrite?.();
      const others = { $regex: `^${base}-`, $ne: name };
      if (!dryRun) await records.deleteMany({ _id: others });
      return report.build();
    },
  };
}

class StoredBlogIndexer {
  private readonly blogs: mongo.Collection<Blog>;
  private readonly spellings: SpellingStore;

  constructor(
    db: mongo.Db,
    private readonly language: SearchLanguage,
    private readonly hosts: EmbedHosts,
  ) {
    this.blogs = db.collection<Blog>('blogs');
    this.spellings = new SpellingStore(db.collection<Spelling>('search_spellings'), new Clock());
  }

  async hasBlogs(): Promise<boolean> {
    return (await this.blogs.findOne({}, { projection: { _id: 1 } })) !== null;
  }

  read(): AsyncIterable<IndexedBlog> {
    const projection = Object.fromEntries([...FIELDS, 'live.words'].map((field) => [field, 1]));
    return this.blogs.find<IndexedBlog>(IS_LIVE, { projection, batchSize: BATCH }).sort({ _id: 1 });
  }

  /** @returns the number of blogs whose words were changed, or in a dry run would be changed */
  async index(
    blogs: readonly IndexedBlog[],
    { dryRun, beforeWrite }: MigrationOptions,
  ): Promise<number> {
    const indexed = await Promise.all(
      blogs.map(async (blog) => ({ blog, found: await this.wordsOf(blog) })),
    );
    const changed = indexed.filter(
      ({ blog, found }) => !isDeepStrictEqual(blog.live.words, found.words),
    );
    beforeWrite?.();
    if (!dryRun && indexed.length > 0) {
      const spellings = new Map(indexed.flatMap(({ found }) => found.spellings));
      await this.spellings.storeUnknown([...spellings]);
    }
    if (!dryRun && changed.length > 0) {
      // A blog that was published meanwhile got its words then, and is left out.
      const updates = changed.map(({ blog: { _id, live }, found: { words } }) => ({
        updateOne: {
          filter: { _id, 'live.updatedAt': live.updatedAt, ...IS_LIVE },
          update: { $set: { 'live.words': words } },
        },
      }));
      await this.blogs.bulkWrite(updates, { ordered: false });
    }
    return changed.length;
  }

  private wordsOf({ text = '', htmlVersion, live }: IndexedBlog): Promise<ArticleWords> {
    const { title, tags, description } = live;
    const isClean = htmlVersion === htmlVersionOf(this.hosts);
    return articleWords({
      title,
      tags,
      description,
      language: this.language,
      text: isClean ? text : cleanHtml(text, this.hosts),
    });
  }
}

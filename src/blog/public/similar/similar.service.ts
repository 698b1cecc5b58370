import { Injectable } from '@nestjs/common';
import { PictureAddresses } from '../../media/serving/picture-addresses.service.js';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { BLOG } from '../../core/blog.cache.js';
import { BlogNotFoundError } from '../../core/blog.errors.js';
import { Blog, IS_LIVE } from '../../core/blog.schema.js';
import {
  toListingItemView,
  type ListingItemSource,
  type ListingItemView,
} from '../../core/views/listing-item.view.js';
import { CacheCoherenceService } from '../../../platform/caching/cache-coherence.service.js';
import type { ClientPrefixOf } from '../../../platform/http/client-address/client-prefix.decorator.js';
import { BY_ID } from '../../../platform/database/query-hints.js';
import { USER_NAME } from '../../../user/schemas/user.cache.js';
import { UserService } from '../../../user/user.service.js';
import { ExpensiveReadsService } from '../reads/expensive-reads.service.js';
import { PublicReads } from '../reads/public-reads.js';
import { modelFor, type PublicReadOptions } from '../../../platform/caching/causal-read-barrier.js';
import { chooseCandidates, keysPerTerm, type CandidateList } from './similar-candidates.js';
import {
  candidatesPipeline,
  scoringPipeline,
  searchTermsOf,
  type SimilarSource,
} from './similar.pipeline.js';

/** Finds live blogs that are similar to a live blog, for any holder of an API key. */
@Injectable()
export class SimilarService {
  private readonly searches: PublicReads<Types.ObjectId, ListingItemView[][], ListingItemView[]>;

  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly pictures: PictureAddresses,
    private readonly users: UserService,
    coherence: CacheCoherenceService,
    expensive: ExpensiveReadsService,
  ) {
    this.searches = new PublicReads(coherence, {
      dependsOn: [BLOG, USER_NAME],
      nameOf: (id) => id.toHexString(),
      scheduleOf: () => expensive,
      query: (ids, options) => Promise.all(ids.map((id) => this.search(id, options))),
      valuesOf: (found) => found,
    });
  }

  /**
   * @returns at most six blogs, the best first
   * @throws BlogNotFoundError
   * @throws TooManyExpensiveReadsError
   */
  async similar(id: Types.ObjectId, clientPrefixOf: ClientPrefixOf): Promise<ListingItemView[]> {
    return this.searches.get(id, clientPrefixOf);
  }

  /**
   * 1. Reads the search terms: the tags of the blog and the words of its title.
   * 2. Reads the ids of the newest blogs with each term, from index keys alone.
   * 3. Chooses the most promising ids, fetches those blogs and scores them by the tags and words that
   *    they share with the blog.
   */
  private async search(id: Types.ObjectId, options: PublicReadOptions): Promise<ListingItemView[]> {
    const blogs = modelFor(this.blogs, options);
    const blog = await blogs
      .findOne({ _id: id, ...IS_LIVE }, null, BY_ID)
      .select(['live.tagKeys', 'live.titleWords', 'live.descriptionWords'])
      .setOptions(options)
      .lean<{ live: SimilarSource } | null>();
    if (!blog) throw new BlogNotFoundError();
    const terms = searchTermsOf(blog.live);
    if (terms.length === 0) return [];
    const candidateSearch = candidatesPipeline(terms, keysPerTerm(terms));
    const lists = await blogs.aggregate<CandidateList>(candidateSearch, options);
    const candidates = chooseCandidates(terms, lists, id);
    if (candidates.length === 0) return [];
    const scoring = scoringPipeline(candidates, blog.live);
    const similar = await blogs.aggregate<ListingItemSource>(scoring, {
      ...options,
      ...BY_ID,
    });
    const names = await this.users.namesOf(similar.map(({ author }) => author));
    const { publicLinks } = this.pictures;
    return similar.map((item) => toListingItemView(item, names, publicLinks));
  }
}

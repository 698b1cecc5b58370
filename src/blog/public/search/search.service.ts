import { Injectable } from '@nestjs/common';
import { PictureAddresses } from '../../media/serving/picture-addresses.service.js';
import { BLOG } from '../../core/blog.cache.js';
import { HtmlCleaner } from '../../core/html/html-cleaner.js';
import { SearchStemmer } from './index/search-stemmer.js';
import { PLACES } from './index/article-words.worker.js';
import type { ListingItemSource } from '../../core/views/listing-item.view.js';
import { CacheCoherenceService } from '../../../platform/caching/cache-coherence.service.js';
import { Clock } from '../../../platform/clock.js';
import type { ClientPrefixOf } from '../../../platform/http/client-address/client-prefix.decorator.js';
import { skipOf } from '../../../platform/http/pagination/page-query.dto.js';
import { USER_NAME } from '../../../user/schemas/user.cache.js';
import { UserService } from '../../../user/user.service.js';
import { ExpensiveReadsService } from '../reads/expensive-reads.service.js';
import { PublicReads } from '../reads/public-reads.js';
import type { PublicReadOptions } from '../../../platform/caching/causal-read-barrier.js';
import { ArticleSearch, type SearchResult } from './article-search.js';
import { highlightPassage, highlightText, type WordMatcher } from './results/highlight.js';
import { matcherOf } from './results/match-word.js';
import type { Match } from './results/ranking.js';
import type { SearchQuery } from './search-query.js';
import { authorTerm, queryWords, tagTerm } from './search-terms.js';
import { toSearchItemView, type SearchItemView, type SearchView } from './results/search.view.js';
import { TermQueries } from './term-queries.js';

/** A page of results as it was read from the database. */
interface FoundPage {
  readonly result: SearchResult;
  readonly matches: readonly Match[];
  /** The articles that are still live, by their ids. */
  readonly blogs: ReadonlyMap<string, ListingItemSource>;
}

const TEXT = PLACES.indexOf('text');

/** Searches live articles, for any holder of an API key. */
@Injectable()
export class SearchService {
  private readonly searches: PublicReads<SearchQuery, FoundPage[], SearchView>;

  constructor(
    private readonly articles: ArticleSearch,
    private readonly queries: TermQueries,
    private readonly stemmer: SearchStemmer,
    private readonly pictures: PictureAddresses,
    private readonly users: UserService,
    private readonly html: HtmlCleaner,
    private readonly clock: Clock,
    coherence: CacheCoherenceService,
    expensive: ExpensiveReadsService,
  ) {
    this.searches = new PublicReads(coherence, {
      dependsOn: [BLOG, USER_NAME],
      nameOf: ({ q, tag, author, from, to, page, limit }) =>
        JSON.stringify([q, tag, author, from, to, page, limit]),
      scheduleOf: () => expensive,
      query: (queries, options) => Promise.all(queries.map((query) => this.find(query, options))),
      valuesOf: (pages) => Promise.all(pages.map((page) => this.viewOf(page))),
    });
  }

  /** @throws TooManyExpensiveReadsError */
  async search(query: SearchQuery, clientPrefixOf: ClientPrefixOf): Promise<SearchView> {
    return this.searches.get(query, clientPrefixOf);
  }

  private async find(query: SearchQuery, options: PublicReadOptions): Promise<FoundPage> {
    const { q, tag, author, from, to, limit } = query;
    const filters = [
      ...(tag === undefined ? [] : [tagTerm(tag)]),
      ...(author === undefined ? [] : [authorTerm(author)]),
    ];
    const request = { words: queryWords(q), filters, from, to };
    const result = await this.articles.search(request, this.clock.now().getTime(), options);
    const skip = skipOf(query);
    const matches = result.matches.slice(skip, skip + limit);
    const ids = matches.map(({ candidate }) => candidate._id);
    const blogs = ids.length === 0 ? [] : await this.queries.items(ids, options);
    return {
      result,
      matches,
      blogs: new Map(blogs.map((blog) => [blog._id.toHexString(), blog])),
    };
  }

  private async viewOf({ result, matches, blogs }: FoundPage): Promise<SearchView> {
    const names = await this.users.namesOf([...blogs.values()].map(({ author }) => author));
    const stemOf = await this.stemmer.load();
    const matcher = matcherOf(result.stems, stemOf, this.stemmer.keepsFirstLetter);
    const items = await Promise.all(
      matches.map(async ({ candidate, places }) => {
        const blog = blogs.get(candidate._id.toHexString());
        if (!blog) return [];
        const inText = places.filter((place = 0) => place % PLACES.length === TEXT).length;
        return [await this.itemOf(blog, { names, matcher, inText })];
      }),
    );
    return {
      items: items.flat(),
      total: result.matches.length,
      exhaustive: result.isExhaustive,
      partial: result.isPartial,
    };
  }

  private async itemOf(
    blog: ListingItemSource,
    {
      names,
      matcher,
      inText,
    }: {
      readonly names: ReadonlyMap<string, string>;
      readonly matcher: WordMatcher;
      /** Number of words that stand only in the text. */
      readonly inText: number;
    },
  ): Promise<SearchItemView> {
    const text = await this.html.servedText(blog);
    return toSearchItemView(blog, names, this.pictures.publicLinks, {
      title: highlightText(blog.live.title, matcher),
      text: highlightPassage(text, matcher, inText),
    });
  }
}

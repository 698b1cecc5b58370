import { Module } from '@nestjs/common';
import { BlogModule } from '../core/blog.module.js';
import { UserModule } from '../../user/user.module.js';
import { AuthorPageService } from './authors/author-page.service.js';
import { BlogPublicController } from './blog-public.controller.js';
import { BlogPublicService } from './blog-public.service.js';
import { ListQueries } from './lists/list-queries.js';
import { PublicListService } from './lists/public-list.service.js';
import { ArticleSearch } from './search/article-search.js';
import { ExpensiveReadsService } from './reads/expensive-reads.service.js';
import { SearchService } from './search/search.service.js';
import { TermQueries } from './search/term-queries.js';
import { TagListService } from './tags/tag-list.service.js';
import { SimilarService } from './similar/similar.service.js';

@Module({
  imports: [BlogModule, UserModule],
  controllers: [BlogPublicController],
  providers: [
    BlogPublicService,
    PublicListService,
    ListQueries,
    AuthorPageService,
    TagListService,
    SimilarService,
    ArticleSearch,
    SearchService,
    TermQueries,
    ExpensiveReadsService,
  ],
  exports: [PublicListService, ExpensiveReadsService],
})
export class BlogPublicModule {}

import type * as bcryptWorker from '../../src/auth/password/bcrypt.worker.ts';
import type * as blogState from '../../src/blog/core/blog.state.ts';
import type * as articleWords from '../../src/blog/public/search/index/article-words.worker.ts';
import type * as searchWords from '../../src/blog/public/search/index/search-words.ts';
import type * as stemmers from '../../src/blog/public/search/index/stemmers.ts';
import type * as visibleText from '../../src/blog/core/text/visible-text.ts';
import type * as moveUpdate from '../../src/blog/core/transitions/transition-update.ts';
import type { DiffSide } from '../../src/blog/revisions/diff/diff-fields.ts';
import type * as cleanHtml from '../../src/blog/core/html/clean-html.ts';
import type * as toc from '../../src/blog/core/html/toc.ts';
import type * as slug from '../../src/blog/core/text/slug.ts';
import type * as words from '../../src/blog/core/text/words.ts';
import type * as blogFields from '../../src/blog/core/blog-fields.ts';
import type * as replicaSet from '../../src/platform/database/embedded/replica-set.ts';
import type * as mongodFinder from '../../src/platform/database/embedded/find-mongod.ts';

export type { Bcrypt, BcryptName } from '../../src/auth/password/bcrypt.worker.ts';
export type { BlogState } from '../../src/blog/core/blog.state.ts';
export type { TransitionName } from '../../src/blog/core/transitions/transition-table.ts';
export type { CleanHtml } from '../../src/blog/core/html/clean-html.ts';

/** What a program uses of it. */
export interface BlogDiffService {
  diff(before: DiffSide, after: DiffSide): Promise<object>;
  onApplicationShutdown(): Promise<void>;
}

/**
 * The modules of the built server that these programs use. Where the sources lead to parameter
 * properties, which this TypeScript configuration does not allow, the part that is used is declared here.
 */
interface Built {
  'auth/caller.service': {
    CallerService: { readonly prototype: { identify: () => Promise<unknown> } };
  };
  'auth/password/bcrypt.worker': typeof bcryptWorker;
  'blog/public/reads/public-reads': {
    PublicReads: {
      readonly prototype: {
        readonly options: { scheduleOf: () => string };
        schedule: (key: unknown) => Promise<unknown>;
      };
    };
  };
  'blog/core/blog.state': typeof blogState;
  'blog/core/transitions/transition-update': typeof moveUpdate;
  'blog/revisions/diff/blog-diff.service': { BlogDiffService: new () => BlogDiffService };
  'blog/core/html/clean-html': typeof cleanHtml;
  'blog/core/html/toc': typeof toc;
  'blog/core/text/slug': typeof slug;
  'blog/core/text/words': typeof words;
  'blog/core/text/visible-text': typeof visibleText;
  'blog/public/search/index/article-words.worker': typeof articleWords;
  'blog/public/search/index/search-words': typeof searchWords;
  'blog/public/search/index/stemmers': typeof stemmers;
  'blog/core/blog-fields': typeof blogFields;
  'platform/database/embedded/find-mongod': typeof mongodFinder;
  'platform/database/embedded/replica-set': typeof replicaSet;
  main: object;
  migrations: {
    migrationsOf: (env: { SEARCH_LANGUAGE: string }) => readonly { readonly name: string }[];
  };
}

export function builtUrl(path: keyof Built): URL {
  return new URL(`../../dist/${path}.js`, import.meta.url);
}

/**
 * Imports a module of the built server, which must be there. `dist` has no declarations, so its types
 * are those of the sources; Node cannot run these, because they have decorators.
 */
export function built<Path extends keyof Built>(path: Path): Promise<Built[Path]> {
  return import(builtUrl(path).href) as Promise<Built[Path]>;
}

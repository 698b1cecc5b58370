import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importerOfBuilt } from '../../scripts/support/built.ts';
import { UserError } from '../../scripts/support/user-error.ts';
import type * as blogState from '../../src/blog/core/blog.state.ts';
import type * as articleWords from '../../src/blog/public/search/index/article-words.worker.ts';
import type * as searchWords from '../../src/blog/public/search/words/search-words.ts';
import type * as stemmers from '../../src/blog/public/search/index/stemmers.ts';
import type * as visibleText from '../../src/blog/core/text/visible-text.ts';
import type * as transitionUpdate from '../../src/blog/core/transitions/transition-update.ts';
import type * as cleanHtml from '../../src/blog/core/html/clean-html.ts';
import type * as pathToState from '../../src/cli/setup/demo/path-to-state.ts';
import type * as toc from '../../src/blog/core/html/toc.ts';
import type * as slug from '../../src/blog/core/text/slug.ts';
import type * as words from '../../src/blog/core/text/words.ts';
import type * as blogFields from '../../src/blog/core/blog-fields.ts';
import type * as replicaSet from '../../src/platform/database/embedded/replica-set.ts';
import type * as mongodFinder from '../../src/platform/database/embedded/find-mongod.ts';

/** The root of this checkout. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export type { TransitionName } from '../../src/blog/core/transitions/transition-table.ts';
export type { CleanHtml } from '../../src/blog/core/html/clean-html.ts';

/**
 * The modules of the built server that the bench uses. Most have the types of their sources. If a source imports code
 * with parameter properties, which this TypeScript configuration does not allow, the used part is declared here.
 */
interface Built {
  'blog/core/blog.state': typeof blogState;
  'blog/core/transitions/transition-update': typeof transitionUpdate;
  'blog/core/html/clean-html': typeof cleanHtml;
  'blog/core/html/toc': typeof toc;
  'blog/core/text/slug': typeof slug;
  'blog/core/text/words': typeof words;
  'blog/core/text/visible-text': typeof visibleText;
  'blog/public/search/index/article-words.worker': typeof articleWords;
  'blog/public/search/words/search-words': typeof searchWords;
  'blog/public/search/index/stemmers': typeof stemmers;
  'blog/core/blog-fields': typeof blogFields;
  'cli/setup/demo/path-to-state': typeof pathToState;
  'platform/database/embedded/find-mongod': typeof mongodFinder;
  'platform/database/embedded/replica-set': typeof replicaSet;
  migrations: {
    migrationsOf: (env: { SEARCH_LANGUAGE: string }) => readonly { readonly name: string }[];
  };
}

/** Imports a module of the built server. Node cannot run its sources, because they have decorators. */
export const built = importerOfBuilt<Built>();

/** @returns the entry point of a built checkout @throws UserError when it is missing */
export function entryOf(checkout: string): string {
  const entry = resolve(checkout, 'dist/main.js');
  if (!existsSync(entry)) throw new UserError(`${entry} is missing: run "npm run build" there`);
  return entry;
}

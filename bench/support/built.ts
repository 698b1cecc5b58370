import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../scripts/support/user-error.ts';
import type * as blogState from '../../src/blog/blog.state.ts';
import type * as articleWords from '../../src/blog/search/article-words.worker.ts';
import type * as searchWords from '../../src/blog/search/search-words.ts';
import type * as stemmers from '../../src/blog/search/stemmers.ts';
import type * as visibleText from '../../src/blog/text/visible-text.ts';
import type * as moveUpdate from '../../src/blog/moves/move-update.ts';
import type * as cleanHtml from '../../src/blog/html/clean-html.ts';
import type * as toc from '../../src/blog/html/toc.ts';
import type * as slug from '../../src/blog/text/slug.ts';
import type * as words from '../../src/blog/text/words.ts';
import type * as blogFields from '../../src/blog/blog-fields.ts';
import type * as replicaSet from '../../src/database/embedded/replica-set.ts';
import type * as mongodFinder from '../../src/database/embedded/find-mongod.ts';

/** The root of this checkout. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export type { MoveName } from '../../src/blog/moves/move-table.ts';
export type { CleanHtml } from '../../src/blog/html/clean-html.ts';

/**
 * The modules of the built server that these programs use. Where the sources lead to parameter
 * properties, which this TypeScript configuration does not allow, the part that is used is declared here.
 */
interface Built {
  'blog/blog.state': typeof blogState;
  'blog/moves/move-update': typeof moveUpdate;
  'blog/html/clean-html': typeof cleanHtml;
  'blog/html/toc': typeof toc;
  'blog/text/slug': typeof slug;
  'blog/text/words': typeof words;
  'blog/text/visible-text': typeof visibleText;
  'blog/search/article-words.worker': typeof articleWords;
  'blog/search/search-words': typeof searchWords;
  'blog/search/stemmers': typeof stemmers;
  'blog/blog-fields': typeof blogFields;
  'database/embedded/find-mongod': typeof mongodFinder;
  'database/embedded/replica-set': typeof replicaSet;
  migrations: {
    migrationsOf: (env: { SEARCH_LANGUAGE: string }) => readonly { readonly name: string }[];
  };
}

/**
 * Imports a module of the built server, which must be there. `dist` has no declarations, so its types
 * are those of the sources; Node cannot run these, because they have decorators.
 */
export function built<Path extends keyof Built>(path: Path): Promise<Built[Path]> {
  return import(new URL(`../../dist/${path}.js`, import.meta.url).href) as Promise<Built[Path]>;
}

/** @returns the entry point of a built checkout @throws UserError when it is missing */
export function entryOf(checkout: string): string {
  const entry = resolve(checkout, 'dist/main.js');
  if (!existsSync(entry)) throw new UserError(`${entry} is missing: run "npm run build" there`);
  return entry;
}

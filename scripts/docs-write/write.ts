import { readFileSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { buildIfStale } from '../build-if-stale.mjs';
import { importerOfBuilt } from '../support/built.ts';
import { writeBetween } from './markers.ts';
import { generatedTables, type Declared } from './tables.ts';

/** The part of the built server that is used here. */
interface Built {
  'blog/core/blog.state': { BLOG_STATE_NAMES: Declared['states'] };
  'blog/core/transitions/transition-table': { TRANSITIONS: Declared['transitions'] };
  'platform/config/env': { validateEnv: (settings: object) => object };
  'cli/command-line/command-line': { createProgram: () => Command };
  'events/log/event-log.schema': { EVENTS: Declared['events'] };
  'platform/http/errors/reasons': { REASONS: Declared['reasons'] };
}

const built = importerOfBuilt<Built>();

/** `npm run docs:write` writes the tables and the diagram of `generatedTables` into the pages. */
buildIfStale();
const { validateEnv } = await built('platform/config/env');
const { createProgram } = await built('cli/command-line/command-line');
const { EVENTS } = await built('events/log/event-log.schema');
const { BLOG_STATE_NAMES } = await built('blog/core/blog.state');
const { TRANSITIONS } = await built('blog/core/transitions/transition-table');
const { REASONS } = await built('platform/http/errors/reasons');

const tables = generatedTables({
  envExample: readFileSync('.env.example', 'utf8'),
  defaults: validateEnv({}),
  program: createProgram(),
  events: EVENTS,
  reasons: REASONS,
  states: BLOG_STATE_NAMES,
  transitions: TRANSITIONS,
});
for (const { name, page, text } of tables) {
  writeFileSync(page, writeBetween(readFileSync(page, 'utf8'), name, text));
  console.log(`${page}: ${name}`);
}

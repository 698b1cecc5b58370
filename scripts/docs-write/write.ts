import { readFileSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { buildIfStale } from '../build-if-stale.mjs';
import { importerOfBuilt } from '../support/built.ts';
import { writeBetween } from './markers.ts';
import { generatedTables, type Declarations } from './tables.ts';

/** The part of the built server that is used here. */
interface Built {
  'blog/core/blog.state': {
    BLOG_STATE_NAMES: Declarations['states'];
    EDITED_STATES: Declarations['editedStates'];
  };
  'blog/core/transitions/transition-table': { TRANSITIONS: Declarations['transitions'] };
  'platform/config/env': { validateEnv: (settings: object) => object };
  'cli/command-line/command-line': { createProgram: () => Command };
  'events/log/event-log.schema': { EVENTS: Declarations['events'] };
  'platform/http/access/key-scopes/key-scope': { KEY_SCOPES: Declarations['scopes'] };
  'platform/http/errors/reasons': { REASONS: Declarations['reasons'] };
}

const built = importerOfBuilt<Built>();

// Writes the generated tables and the diagram into their pages. Their content comes from the built server, so the
// server is built first.
buildIfStale();
const { validateEnv } = await built('platform/config/env');
const { createProgram } = await built('cli/command-line/command-line');
const { EVENTS } = await built('events/log/event-log.schema');
const { BLOG_STATE_NAMES, EDITED_STATES } = await built('blog/core/blog.state');
const { TRANSITIONS } = await built('blog/core/transitions/transition-table');
const { KEY_SCOPES } = await built('platform/http/access/key-scopes/key-scope');
const { REASONS } = await built('platform/http/errors/reasons');

const tables = generatedTables({
  envExample: readFileSync('.env.example', 'utf8'),
  defaults: validateEnv({}),
  program: createProgram(),
  events: EVENTS,
  reasons: REASONS,
  scopes: KEY_SCOPES,
  states: BLOG_STATE_NAMES,
  editedStates: EDITED_STATES,
  transitions: TRANSITIONS,
});
for (const { name, page, text } of tables) {
  writeFileSync(page, writeBetween(readFileSync(page, 'utf8'), name, text));
  console.log(`${page}: ${name}`);
}

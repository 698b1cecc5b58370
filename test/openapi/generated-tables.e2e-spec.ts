import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readBetween } from '../../scripts/docs-write/markers.ts';
import { generatedTables } from '../../scripts/docs-write/tables.ts';
import { REASONS } from '../../src/platform/http/errors/reasons.js';
import { validateEnv } from '../../src/platform/config/env.js';
import { EVENTS } from '../../src/events/log/event-log.schema.js';
import { createProgram } from '../../src/cli/command-line/command-line.js';

const TABLES = generatedTables({
  envExample: readFileSync('.env.example', 'utf8'),
  defaults: validateEnv({}),
  program: createProgram(),
  events: EVENTS,
  reasons: REASONS,
});

describe('generated tables', () => {
  it.each(TABLES)(
    'should stand on $page as the code declares them: $name',
    ({ name, page, text }) => {
      // When it fails: npm run docs:write.
      expect(readBetween(readFileSync(page, 'utf8'), name)).toBe(text);
    },
  );
});

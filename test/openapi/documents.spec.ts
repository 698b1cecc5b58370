import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { documentedSettings } from '../../scripts/docs-write/env-example.ts';
import { readBetween } from '../../scripts/docs-write/markers.ts';
import { generatedTables } from '../../scripts/docs-write/tables.ts';
import { BLOG_STATE_NAMES, EDITED_STATES } from '../../src/blog/core/blog.state.js';
import { TRANSITIONS } from '../../src/blog/core/transitions/transition-table.js';
import { createProgram } from '../../src/cli/command-line/command-line.js';
import { EVENTS } from '../../src/events/log/event-log.schema.js';
import { SETTING_NAMES, validateEnv, type Env } from '../../src/platform/config/env.js';
import { KEY_SCOPES } from '../../src/platform/http/access/key-scopes/key-scope.js';
import { REASONS } from '../../src/platform/http/errors/reasons.js';
import { DECLARED_ROUTES } from '../routes/router.js';

/** The settings that production requires. */
const PRODUCTION = {
  NODE_ENV: 'production',
  MONGODB_URI: 'mongodb://db.example/pressroom',
  JWT_PRIVATE_KEYS: '-----BEGIN PRIVATE KEY-----',
};
/** The settings that others need beside them. */
const NEEDED_BY_OTHERS = {
  MAIL_FROM: 'desk@example.org',
  PUBLIC_URL: 'https://api.example',
  OIDC_ISSUER: 'https://login.example',
  OIDC_CLIENT_ID: 'pressroom',
  OIDC_CLIENT_SECRET: 'secret',
  OIDC_RETURN_URLS: 'https://www.example/',
};
const DEFAULTS = validateEnv({});
const PRODUCTION_DEFAULTS = validateEnv(PRODUCTION);

const ENV_EXAMPLE = readFileSync('.env.example', 'utf8');
const SETTINGS = documentedSettings(ENV_EXAMPLE);

const TABLES = generatedTables({
  envExample: ENV_EXAMPLE,
  defaults: DEFAULTS,
  program: createProgram(),
  events: EVENTS,
  reasons: REASONS,
  scopes: KEY_SCOPES,
  states: BLOG_STATE_NAMES,
  editedStates: EDITED_STATES,
  transitions: TRANSITIONS,
});

describe('.env.example', () => {
  /** Parses a value as the server does; "none" is an empty list. */
  function valueOf(name: keyof Env, text: string): unknown {
    const settings = { ...NEEDED_BY_OTHERS, [name]: text };
    return text === 'none' ? [] : validateEnv(settings)[name];
  }

  it('should list every setting once, and nothing else', () => {
    expect(SETTINGS.map(({ name }) => name).toSorted()).toEqual(SETTING_NAMES.toSorted());
  });

  it.each(SETTINGS)('should show the default of $name', (setting) => {
    const name = setting.name as keyof Env;
    // Without a default, the value is an example.
    const hasDefault = [DEFAULTS[name] ?? []].flat().length > 0;
    const value = setting.value === '' ? undefined : valueOf(name, setting.value);
    expect(hasDefault ? value : DEFAULTS[name]).toEqual(DEFAULTS[name]);
    // A setting that production requires has no default in production.
    if (name in PRODUCTION) return;
    const { inProduction } = setting;
    expect(inProduction === undefined ? DEFAULTS[name] : valueOf(name, inProduction)).toEqual(
      PRODUCTION_DEFAULTS[name],
    );
  });
});

describe('generated parts', () => {
  it.each(TABLES)(
    'should stand on $page as the code declares them: $name',
    ({ name, page, text }) => {
      // `npm run docs:write` writes the current text.
      expect(readBetween(readFileSync(page, 'utf8'), name)).toBe(text);
    },
  );
});

describe('docs/newsroom.md', () => {
  it('should name only routes that exist', () => {
    const page = readFileSync('docs/newsroom.md', 'utf8');
    const named = [...page.matchAll(/\b(GET|POST|PUT|DELETE) (\/(?:blog|admin)[\w/{}]+)/g)];
    const known = new Set(DECLARED_ROUTES.map(({ route }) => route.replace(/:(\w+)/g, '{$1}')));
    expect(named.length).toBeGreaterThan(20);
    expect(named.map(([route]) => route).filter((route) => !known.has(route))).toEqual([]);
  });
});

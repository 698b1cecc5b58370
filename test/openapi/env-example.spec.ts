import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { documentedSettings } from '../../scripts/docs-write/env-example.ts';
import { SETTING_NAMES, validateEnv, type Env } from '../../src/platform/config/env.js';

/** The settings that production requires. */
const PRODUCTION = {
  NODE_ENV: 'production',
  MONGODB_URI: 'mongodb://db.example/pressroom',
  JWT_PRIVATE_KEYS: '-----BEGIN PRIVATE KEY-----',
};
const DEFAULTS = validateEnv({});
const PRODUCTION_DEFAULTS = validateEnv(PRODUCTION);

const SETTINGS = documentedSettings(readFileSync('.env.example', 'utf8'));

/** Parses a value as the server does; "none" is an empty list. */
function valueOf(name: keyof Env, text: string): unknown {
  return text === 'none' ? [] : validateEnv({ [name]: text })[name];
}

describe('.env.example', () => {
  it('should list every setting once, and nothing else', () => {
    expect(SETTINGS.map(({ name }) => name).toSorted()).toEqual(SETTING_NAMES.toSorted());
  });

  it.each(SETTINGS)('should say the default of $name', (setting) => {
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

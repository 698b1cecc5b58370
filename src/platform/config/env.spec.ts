import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from './configuration.error.js';
import { validateEnv } from './env.js';

/** The settings that production requires. */
const PRODUCTION = {
  NODE_ENV: 'production',
  MONGODB_URI: 'mongodb://db.example/pressroom',
  JWT_PRIVATE_KEYS: '-----BEGIN PRIVATE KEY-----',
};

/** @returns the message of the ConfigurationError */
function configurationErrorMessage(source: Readonly<Record<string, string>>): string {
  try {
    validateEnv(source);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as Error).message;
  }
  throw new Error('the configuration was accepted');
}

describe('validateEnv', () => {
  it('should name all problems at once', () => {
    const message = configurationErrorMessage({ PORT: 'x', DOCS: 'maybe', SLOW_MS: '0' });
    for (const name of ['PORT', 'DOCS', 'SLOW_MS']) expect(message).toContain(name);
  });

  it('should say one problem in one sentence', () => {
    expect(configurationErrorMessage({ PORT: 'abc' })).toBe(
      'Pressroom cannot start: PORT must be a whole number from 0 to 65535 ' +
        '(every variable is explained in .env.example).',
    );
  });

  it('should require a database and keys in production', () => {
    const message = configurationErrorMessage({ NODE_ENV: 'production' });
    expect(message).toContain('MONGODB_URI must be set in production');
    expect(message).toContain(
      'JWT_PRIVATE_KEYS or JWT_PRIVATE_KEYS_FILE must be set in production',
    );
    const { JWT_PRIVATE_KEYS: _, ...others } = PRODUCTION;
    expect(
      validateEnv({ ...others, JWT_PRIVATE_KEYS_FILE: '/run/jwt' }).JWT_PRIVATE_KEYS_FILE,
    ).toBe('/run/jwt');
  });

  it('should keep the values of secrets out of its messages', () => {
    const secrets = {
      MONGODB_URI: 'postgres://user:hunter2hunter2@db.example',
      API_KEY: 'hunter2 hunter2',
      ADMIN_EMAIL: 'hunter2hunter2',
      ADMIN_PASSWORD: 'hunter2',
      JWT_PRIVATE_KEYS: 'hunter2hunter2',
    };
    const message = configurationErrorMessage(secrets);
    for (const name of Object.keys(secrets)) expect(message).toContain(name);
    expect(message).not.toContain('hunter2');
  });

  it.each([
    ['CORS_ORIGINS', 'https://a.example, http://www.b.example:8080'],
    ['HOST', 'www.b.example'],
  ])('should refuse to embed a host of %s, whose pages show the articles', (name, value) => {
    const message = configurationErrorMessage({ [name]: value, EMBED_HOSTS: 'www.b.example' });
    expect(message).toContain('EMBED_HOSTS must not hold');
    expect(validateEnv({ [name]: value, EMBED_HOSTS: 'b.example' }).EMBED_HOSTS).toHaveLength(1);
  });

  it('should ignore variables that are no settings', () => {
    const env = validateEnv({
      HOME: '/root',
      npm_config_x: 'y',
      port: '80',
      __proto__: 'x',
    });
    expect(env).not.toHaveProperty('HOME');
    expect(env.PORT).toBe(3_000);
  });
});

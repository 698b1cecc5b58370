import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from './configuration.error.js';
import { validateEnv, type Env } from './env.js';
import type { Rate } from './values/rate.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const PEM = '-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----\n';

/** What production cannot do without. */
const PRODUCTION = {
  NODE_ENV: 'production',
  MONGODB_URI: 'mongodb://db.example/pressroom',
  JWT_PRIVATE_KEYS: PEM,
};

const rate = (count: number, seconds: number): Rate => ({ count, seconds });

interface Values {
  readonly good: readonly (readonly [given: string, parsed: unknown])[];
  readonly bad: readonly string[];
}

/** By variable: the default in development and in production. */
const DEFAULTS = {
  NODE_ENV: ['development', 'production'],
  PORT: [3_000, 3_000],
  HOST: ['127.0.0.1', '0.0.0.0'],
  WORKERS: [1, 1],
  CACHE_MB: [64, 64],
  MONGODB_URI: [undefined, PRODUCTION.MONGODB_URI],
  DATA_DIR: ['.data', '.data'],
  MONGOMS_SYSTEM_BINARY: [undefined, undefined],
  PATH: [undefined, undefined],
  XDG_CACHE_HOME: [undefined, undefined],
  MIGRATE: ['on', 'off'],
  API_KEY: [undefined, undefined],
  ADMIN_EMAIL: [undefined, undefined],
  ADMIN_PASSWORD: [undefined, undefined],
  JWT_PRIVATE_KEYS: [undefined, PEM],
  JWT_PRIVATE_KEYS_FILE: [undefined, undefined],
  JWT_ISSUER: ['pressroom', 'pressroom'],
  JWT_AUDIENCE: ['pressroom', 'pressroom'],
  ACCESS_TOKEN_TTL: [15 * MINUTE, 15 * MINUTE],
  REFRESH_IDLE_TTL: [14 * DAY, 14 * DAY],
  SESSION_MAX_AGE: [90 * DAY, 90 * DAY],
  BCRYPT_COST: [10, 10],
  RATE_LIMITS: ['on', 'on'],
  LIMIT_SIGNUP: [rate(100, 3_600), rate(100, 3_600)],
  LIMIT_CONTACT: [rate(30, 3_600), rate(30, 3_600)],
  LIMIT_PASSWORD: [rate(30, 3_600), rate(30, 3_600)],
  GUESSES_PER_ACCOUNT: [rate(5, 86_400), rate(5, 86_400)],
  GUESSES_PER_NETWORK: [rate(100, 3_600), rate(100, 3_600)],
  GUESS_DELAY_MAX: [15 * MINUTE, 15 * MINUTE],
  GUESS_NETWORK_DELAY_MAX: [MINUTE, MINUTE],
  GUESS_ALARM: [rate(1_000, 3_600), rate(1_000, 3_600)],
  CORS_ORIGINS: [['*'], []],
  TRUST_PROXY: [[], []],
  LOG_LEVEL: ['info', 'info'],
  LOG_REQUESTS: ['all', 'notable'],
  SLOW_MS: [500, 500],
  DOCS: ['on', 'off'],
} as const satisfies Record<keyof Env, readonly [unknown, unknown]>;

const DURATIONS = {
  good: [
    ['1ms', 1],
    ['90s', 90_000],
    ['12h', 12 * 60 * MINUTE],
  ],
  bad: ['15', '15 m', '0m', '-1m', '1.5h', '1w', 'm', '15M', '1234567890s', ' 15m'],
} as const;

const RATES = {
  good: [
    ['1/1s', rate(1, 1)],
    ['1000/90m', rate(1_000, 5_400)],
  ],
  bad: ['100', '100/h', '0/1h', '1h/100', '100 / 1h', '-1/1h', '100/1h/1h'],
} as const;

const ON_OFF = {
  good: [
    ['on', 'on'],
    ['off', 'off'],
  ],
  bad: ['true', 'ON', '1', 'yes'],
} as const;

const LONG = 'x'.repeat(4_097);

/** By variable: what is accepted and what it becomes; what is refused. */
const VALUES: Readonly<Record<keyof Env, Values>> = {
  NODE_ENV: { good: [['test', 'test']], bad: ['prod', 'Production', 'staging'] },
  PORT: {
    good: [
      ['0', 0],
      ['65535', 65_535],
    ],
    bad: ['65536', '-1', '80.5', 'http', '0x50', '80 ', '1e3'],
  },
  HOST: {
    good: [
      ['::1', '::1'],
      ['localhost', 'localhost'],
    ],
    bad: ['h'.repeat(256)],
  },
  WORKERS: {
    good: [
      ['1', 1],
      ['64', 64],
      ['auto', 'auto'],
    ],
    bad: ['0', '65', '-1', '1.5', 'AUTO', 'all', '2 ', '0x2'],
  },
  CACHE_MB: {
    good: [
      ['0', 0],
      ['65536', 65_536],
    ],
    bad: ['65537', '-1', '0.5', '64MB', 'off', '1e3'],
  },
  MONGODB_URI: {
    good: [
      ['mongodb://a,b/x?replicaSet=r', 'mongodb://a,b/x?replicaSet=r'],
      ['mongodb+srv://a/x', 'mongodb+srv://a/x'],
    ],
    bad: ['localhost:27017', 'http://localhost', 'postgres://mongodb://', ' mongodb://a'],
  },
  DATA_DIR: { good: [['/var/lib/pressroom', '/var/lib/pressroom']], bad: [LONG] },
  MONGOMS_SYSTEM_BINARY: { good: [['/usr/bin/mongod', '/usr/bin/mongod']], bad: [LONG] },
  PATH: { good: [['/bin:/usr/bin', '/bin:/usr/bin']], bad: ['x'.repeat(100_001)] },
  XDG_CACHE_HOME: { good: [['/tmp/cache', '/tmp/cache']], bad: [LONG] },
  MIGRATE: ON_OFF,
  API_KEY: {
    good: [['GCMUDiuY5a7WvyUNt9n3QztToSHzK7Uj', 'GCMUDiuY5a7WvyUNt9n3QztToSHzK7Uj']],
    bad: ['short', 'with a blank', 'schlüssel-zum-haus', 'x'.repeat(257)],
  },
  ADMIN_EMAIL: {
    good: [[' Ada@Example.org ', 'ada@example.org']],
    bad: ['ada', 'ada@', '@example.org', `${'x'.repeat(250)}@example.org`],
  },
  ADMIN_PASSWORD: {
    good: [
      ['8 bytes!', '8 bytes!'],
      ['é'.repeat(36), 'é'.repeat(36)],
    ],
    bad: ['7 bytes', 'é'.repeat(37), 'x'.repeat(73)],
  },
  JWT_PRIVATE_KEYS: {
    good: [[PEM + PEM, PEM + PEM]],
    bad: ['secret', '-----BEGIN PUBLIC KEY-----'],
  },
  JWT_PRIVATE_KEYS_FILE: { good: [['/run/secrets/jwt', '/run/secrets/jwt']], bad: [LONG] },
  JWT_ISSUER: { good: [['https://a.example', 'https://a.example']], bad: ['x'.repeat(201)] },
  JWT_AUDIENCE: { good: [['readers', 'readers']], bad: ['x'.repeat(201)] },
  ACCESS_TOKEN_TTL: DURATIONS,
  REFRESH_IDLE_TTL: DURATIONS,
  SESSION_MAX_AGE: DURATIONS,
  BCRYPT_COST: {
    good: [
      ['10', 10],
      ['15', 15],
    ],
    bad: ['9', '16', 'ten'],
  },
  RATE_LIMITS: ON_OFF,
  LIMIT_SIGNUP: RATES,
  LIMIT_CONTACT: RATES,
  LIMIT_PASSWORD: RATES,
  GUESSES_PER_ACCOUNT: RATES,
  GUESSES_PER_NETWORK: RATES,
  GUESS_DELAY_MAX: DURATIONS,
  GUESS_NETWORK_DELAY_MAX: DURATIONS,
  GUESS_ALARM: RATES,
  CORS_ORIGINS: {
    good: [
      ['https://a.example, http://localhost:5173', ['https://a.example', 'http://localhost:5173']],
      ['*', ['*']],
      [' , ', []],
    ],
    bad: ['a.example', 'https://a.example/', 'https://a.example/x', 'https://*.example', 'ftp://a'],
  },
  TRUST_PROXY: {
    good: [
      ['10.0.0.0/8, 127.0.0.1', ['10.0.0.0/8', '127.0.0.1']],
      ['::1, fd00::/8', ['::1', 'fd00::/8']],
    ],
    bad: [
      ...['true', '10.0.0.0/33', '999.1.1.1', 'proxy.example', '10.0.0.0/', 'fd00::/129', '10.0.0'],
      ...['0.0.0.0/0', '::/0'],
    ],
  },
  LOG_LEVEL: { good: [['silent', 'silent']], bad: ['verbose', 'INFO'] },
  LOG_REQUESTS: { good: [['none', 'none']], bad: ['off', 'some'] },
  SLOW_MS: { good: [['1', 1]], bad: ['0', '-5', '0.5', '500ms'] },
  DOCS: ON_OFF,
};

const NAMES = Object.keys(DEFAULTS) as (keyof Env)[];

describe.each(NAMES)('%s', (name) => {
  const [development, production] = DEFAULTS[name];

  it('should have its default in development and in production', () => {
    expect(validateEnv({})[name]).toEqual(development);
    expect(validateEnv(PRODUCTION)[name]).toEqual(production);
  });

  it('should count an empty value as unset', () => {
    expect(validateEnv({ [name]: '' })[name]).toEqual(development);
  });

  it.each(VALUES[name].good)('should accept %j', (given, parsed) => {
    expect(validateEnv({ [name]: given })[name]).toEqual(parsed);
    if (name !== 'NODE_ENV')
      expect(validateEnv({ ...PRODUCTION, [name]: given })[name]).toEqual(parsed);
  });

  it.each(VALUES[name].bad)('should refuse %j with a message that names it alone', (given) => {
    const validate = () => validateEnv({ [name]: given });
    expect(validate).toThrow(ConfigurationError);
    expect(validate).toThrow(
      new RegExp(`correction:(\\n {2}- .*${name}.*)+\\nEvery variable .* .env.example.$`),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from './configuration.error.js';
import { misspelledSettings, validateEnv, type Env } from './env.js';
import type { PeopleSettings } from './people/people-settings.js';
import type { Rate } from './values/rate.js';

const MINUTE = 60_000;

const PEM = '-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----\n';

/** The settings that production requires. */
const PRODUCTION = {
  NODE_ENV: 'production',
  MONGODB_URI: 'mongodb://db.example/pressroom',
  JWT_PRIVATE_KEYS: PEM,
};

const rate = (count: number, seconds: number): Rate => ({ count, seconds });

interface Values {
  /** Accepted texts, each with its parsed value. */
  readonly good: Readonly<Record<string, unknown>>;
  /** Refused texts. */
  readonly bad: readonly string[];
}

const DURATIONS = {
  good: { '1ms': 1, '90s': 90_000, '12h': 12 * 60 * MINUTE, '90d': 90 * 24 * 60 * MINUTE },
  bad: ['15', '15 m', '0m', '-1m', '1.5h', '1w', '15M', '1234567890s'],
} as const;

const RATES = {
  good: { '1/1d': rate(1, 86_400), '1000/90m': rate(1_000, 5_400), '5/1500ms': rate(5, 1.5) },
  bad: ['100', '100/h', '100/0h', '0/1h', '100 / 1h', '1.5/1h', '1/1w', '100/1h/1h'],
} as const;

const ON_OFF = { good: { on: 'on', off: 'off' }, bad: ['true', 'ON', '1', 'yes'] } as const;

const PORTS = {
  good: { '0': 0, '65535': 65_535 },
  bad: ['65536', '-1', '80.5', 'http', '0x50', '80 ', '1e3'],
} as const;

const URLS = {
  good: {
    'https://blog.example': 'https://blog.example',
    'http://localhost:8080/': 'http://localhost:8080',
    'https://Example.org/blog/': 'https://example.org/blog',
  },
  bad: [
    'blog.example',
    'ftp://blog.example',
    'https://',
    'https://a b.example',
    'https://a:b@blog.example',
    'https://blog.example/?x=1',
    'https://blog.example#',
    `https://a.example/${'x'.repeat(500)}`,
  ],
} as const;

const LONG = 'x'.repeat(4_097);

const VALUES: Readonly<Record<Exclude<keyof Env, keyof PeopleSettings>, Values>> = {
  NODE_ENV: { good: { test: 'test' }, bad: ['prod', 'Production', 'staging'] },
  MEDIA_MAX_MB: { good: { '1': 1, '1024': 1_024 }, bad: ['0', '1025', '0.5', '20MB'] },
  MEDIA_URL: URLS,
  MEDIA_S3_URL: {
    good: { 's3://a.example/bucket': expect.objectContaining({ bucket: 'bucket' }) },
    bad: ['https://a.example/bucket', 's3://a.example'],
  },
  MEDIA_KEEP: DURATIONS,
  MEDIA_CACHE_DIR: { good: { '/var/cache/pressroom': '/var/cache/pressroom' }, bad: [LONG] },
  MEDIA_CACHE_MB: { good: { '64': 64 }, bad: ['63', '1048577', '1GB'] },
  LIMIT_MEDIA: RATES,
  PORT: PORTS,
  HOST: { good: { '::1': '::1', localhost: 'localhost' }, bad: ['h'.repeat(256)] },
  WORKERS: { good: { '1': 1, '64': 64, auto: 'auto' }, bad: ['0', '65', '1.5', 'AUTO', '0x2'] },
  FOUR_EYES: ON_OFF,
  REVISIONS_KEEP: { good: { '1': 1, '1000': 1_000 }, bad: ['0', '1001', '-1', '1.5', 'all'] },
  TRASH_KEEP: DURATIONS,
  AUDIT_KEEP: DURATIONS,
  WEBHOOK_HTTP: ON_OFF,
  WEBHOOK_PRIVATE: ON_OFF,
  PUBLIC_CACHE: DURATIONS,
  PUBLIC_CACHE_STALE: DURATIONS,
  SITE_URL: URLS,
  PUBLIC_URL: URLS,
  SITE_ARTICLE_PATH: {
    good: {
      '/{slug}': '/{slug}',
      '/articles/{id}/{slug}.html': '/articles/{id}/{slug}.html',
      '/?id={id}&x=%20': '/?id={id}&x=%20',
    },
    bad: [
      '{slug}',
      '/articles',
      '/{title}',
      '/{slug',
      '/{slug} ',
      '/"{slug}',
      '/{slug}#x',
      `/{slug}${'x'.repeat(500)}`,
    ],
  },
  SITE_TITLE: { good: { 'Ada & Co': 'Ada & Co' }, bad: ['x'.repeat(201)] },
  SITE_DESCRIPTION: { good: { 'About engines': 'About engines' }, bad: ['x'.repeat(1_001)] },
  SITE_LANGUAGE: {
    good: { de: 'de', 'pt-br': 'pt-BR', 'zh-Hans': 'zh-Hans' },
    bad: ['german language', 'd', 'de_AT', 'none!'],
  },
  FEED_TEXT: { good: { full: 'full', description: 'description' }, bad: ['none', 'Full', 'on'] },
  SEARCH_LANGUAGE: { good: { none: 'none', de: 'de' }, bad: ['english', 'EN', 'xx', 'off'] },
  PUBLIC_FEEDS: ON_OFF,
  CACHE_MB: { good: { '0': 0, '65536': 65_536 }, bad: ['65537', '-1', '0.5', '64MB'] },
  MONGODB_URI: {
    good: {
      'mongodb://a,b/x?replicaSet=r': 'mongodb://a,b/x?replicaSet=r',
      'mongodb+srv://a/x': 'mongodb+srv://a/x',
      'mongodb://u:p%2F@%2Fd%2Fm.sock/x': 'mongodb://u:p%2F@%2Fd%2Fm.sock/x',
    },
    bad: [
      'localhost:27017',
      'http://localhost/x',
      ' mongodb://a/x',
      'mongodb://a',
      'mongodb://a/x/y',
    ],
  },
  DATA_DIR: { good: { '/var/lib/pressroom': '/var/lib/pressroom' }, bad: [LONG] },
  MONGOMS_SYSTEM_BINARY: { good: { '/usr/bin/mongod': '/usr/bin/mongod' }, bad: [LONG] },
  PATH: { good: { '/bin:/usr/bin': '/bin:/usr/bin' }, bad: ['x'.repeat(100_001)] },
  XDG_CACHE_HOME: { good: { '/tmp/cache': '/tmp/cache' }, bad: [LONG] },
  MIGRATE: ON_OFF,
  API_KEY: {
    good: { GCMUDiuY5a7WvyUNt9n3QztToSHzK7Uj: 'GCMUDiuY5a7WvyUNt9n3QztToSHzK7Uj' },
    bad: ['short', 'with a blank', 'schlüssel-zum-haus', 'x'.repeat(257)],
  },
  ADMIN_EMAIL: {
    good: { ' Ada@Example.org ': 'ada@example.org' },
    bad: ['ada', 'ada@', '@example.org', `${'x'.repeat(250)}@example.org`],
  },
  ADMIN_PASSWORD: {
    good: { '8 bytes!': '8 bytes!', ['é'.repeat(36)]: 'é'.repeat(36) },
    bad: ['7 bytes', 'é'.repeat(37), 'x'.repeat(73)],
  },
  JWT_PRIVATE_KEYS: {
    good: { [PEM + PEM]: PEM + PEM },
    bad: ['secret', '-----BEGIN PUBLIC KEY-----'],
  },
  JWT_PRIVATE_KEYS_FILE: { good: { '/run/secrets/jwt': '/run/secrets/jwt' }, bad: [LONG] },
  JWT_ISSUER: { good: { 'https://a.example': 'https://a.example' }, bad: ['x'.repeat(201)] },
  JWT_AUDIENCE: { good: { readers: 'readers' }, bad: ['x'.repeat(201)] },
  ACCESS_TOKEN_TTL: DURATIONS,
  REFRESH_IDLE_TTL: DURATIONS,
  SESSION_MAX_AGE: DURATIONS,
  BCRYPT_COST: { good: { '10': 10, '15': 15 }, bad: ['9', '16', 'ten'] },
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
    good: {
      'https://a.example, http://localhost:5173': ['https://a.example', 'http://localhost:5173'],
      '*': ['*'],
      ' , ': [],
    },
    bad: ['a.example', 'https://a.example/', 'https://a.example/x', 'https://*.example', 'ftp://a'],
  },
  EMBED_HOSTS: {
    good: {
      'www.youtube-nocookie.com, player.vimeo.com': [
        'www.youtube-nocookie.com',
        'player.vimeo.com',
      ],
      'xn--mller-kva.example': ['xn--mller-kva.example'],
      ' , ': [],
    },
    bad: [
      'localhost',
      '*.example.org',
      'a.example:443',
      'https://a.example',
      'a@b.example',
      'A.example',
      'müller.example',
      '1.2.3.4',
      'a..example',
      '-a.example',
      `${'a'.repeat(64)}.example`,
    ],
  },
  TRUST_PROXY: {
    good: {
      '10.0.0.0/8, 127.0.0.1': ['10.0.0.0/8', '127.0.0.1'],
      '::1, fd00::/8': ['::1', 'fd00::/8'],
    },
    bad: ['true', '10.0.0.0/33', 'proxy.example', 'fd00::/129', '0.0.0.0/0', '::/0'],
  },
  LOG_LEVEL: { good: { silent: 'silent' }, bad: ['verbose', 'INFO'] },
  LOG_REQUESTS: { good: { none: 'none' }, bad: ['off', 'some'] },
  STOP_DELAY_MS: { good: { '0': 0, '5000': 5_000 }, bad: ['-1', '0.5', '5s', '600001'] },
  SLOW_MS: { good: { '1': 1 }, bad: ['0', '-5', '0.5', '500ms'] },
  DOCS: ON_OFF,
  METRICS_PORT: PORTS,
  METRICS_HOST: { good: { '0.0.0.0': '0.0.0.0', '::1': '::1' }, bad: ['h'.repeat(256)] },
};

const NAMES = Object.keys(VALUES) as (keyof typeof VALUES)[];

// The type of VALUES requires an entry for every setting.
describe.each(NAMES)('%s', (name) => {
  const { good, bad } = VALUES[name];

  it('should count an empty value as unset', () => {
    expect(validateEnv({ [name]: '' })).toEqual(validateEnv({}));
  });

  it('should accept its values', () => {
    for (const [given, parsed] of Object.entries(good)) {
      expect(validateEnv({ [name]: given })[name]).toEqual(parsed);
      if (name !== 'NODE_ENV')
        expect(validateEnv({ ...PRODUCTION, [name]: given })[name]).toEqual(parsed);
    }
  });

  it('should refuse other values, and name this setting in every message', () => {
    const accepted = bad.filter((given) => !errorOf({ [name]: given }));
    expect(accepted).toEqual([]);
    const problems = bad.flatMap((given) => errorOf({ [name]: given })?.problems ?? []);
    expect(problems.filter((problem) => !problem.includes(name))).toEqual([]);
  });
});

describe('validateEnv', () => {
  it('should say one problem in one sentence', () => {
    expect(errorOf({ PORT: 'abc' })?.message).toBe(
      'Pressroom cannot start: PORT must be a whole number from 0 to 65535 ' +
        '(every variable is explained in .env.example).',
    );
  });

  it('should require a database and keys in production', () => {
    const message = errorOf({ NODE_ENV: 'production' })?.message;
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
      MEDIA_S3_URL: 's3://KEY:hunter2/hunter2@s3.example.org/bucket',
    };
    const message = errorOf(secrets)?.message;
    for (const name of Object.keys(secrets)) expect(message).toContain(name);
    expect(message).not.toContain('hunter2');
  });

  it.each([
    ['CORS_ORIGINS', 'https://a.example, http://www.b.example:8080'],
    ['HOST', 'www.b.example'],
  ])('should refuse to embed a host that %s names, but not its parent domain', (name, value) => {
    const message = errorOf({ [name]: value, EMBED_HOSTS: 'www.b.example' })?.message;
    expect(message).toContain('EMBED_HOSTS must not hold');
    expect(validateEnv({ [name]: value, EMBED_HOSTS: 'b.example' }).EMBED_HOSTS).toHaveLength(1);
  });

  it('should ignore variables that are no settings', () => {
    const env = validateEnv({
      HOME: '/root',
      npm_config_x: 'y',
      port: '80',
      ['__proto__']: 'x',
    });
    expect(env).not.toHaveProperty('HOME');
    expect(env.PORT).toBe(3_000);
  });
});

/** The error with which these settings are refused; null if they are accepted. */
function errorOf(settings: Readonly<Record<string, string>>): ConfigurationError | null {
  try {
    validateEnv(settings);
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  return null;
}

describe('misspelledSettings', () => {
  it.each([
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['log_level', 'LOG_LEVEL'],
    ['MONGO_URI', 'MONGODB_URI'],
    ['MONGODB_URL', 'MONGODB_URI'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['TRUSTED_PROXY', 'TRUST_PROXY'],
    ['JWT_PRIVATE_KEY', 'JWT_PRIVATE_KEYS'],
    ['EMBED_HOST', 'EMBED_HOSTS'],
    ['RATE_LIMIT', 'RATE_LIMITS'],
  ])('should name %s, which resembles %s', (name, meant) => {
    expect(misspelledSettings({ [name]: 'x' })).toEqual([{ name, meant }]);
  });

  it('should not name settings, nor variables of the system', () => {
    const names =
      'HOME HOSTNAME PWD OLDPWD USER LANG TERM SHELL TZ NODE_OPTIONS NODE_PATH LOGNAME MAIL DISPLAY ' +
      'XDG_DATA_HOME XDG_STATE_HOME KUBERNETES_PORT npm_config_cache LOG_LEVEL PORT';
    const source = Object.fromEntries(names.split(' ').map((name) => [name, 'x']));
    expect(misspelledSettings(source)).toEqual([]);
  });
});

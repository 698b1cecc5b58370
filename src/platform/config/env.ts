import { existsSync } from 'node:fs';
import { plainToInstance, Transform } from 'class-transformer';
import {
  IsByteLength,
  IsEmail,
  IsIn,
  IsOptional,
  Length,
  Matches,
  MaxLength,
  MinLength,
  validateSync,
} from 'class-validator';
import ms from 'ms';
import { similarName } from '../similar-name.js';
import { ConfigurationError } from './configuration.error.js';
import { MediaSettings } from './media/media-settings.js';
import { peopleProblems } from './people/people-settings.js';
import { parseRate, type Rate } from './values/rate.js';
import { ON_OFF, type OnOff } from './values/on-off.js';
import { SEARCH_LANGUAGES, type SearchLanguage } from './values/search-language.js';
import { LanguageTag, SitePath, SiteUrl } from './values/site.decorators.js';
import {
  AddressRanges,
  CommaList,
  Duration,
  HostNames,
  RateSetting,
  WholeNumber,
  WorkerCount,
} from './values/setting.decorators.js';

/**
 * Every setting of Pressroom, with its check and its default. Only this file reads the environment,
 * once at the start. Services inject `Env`. Durations are in milliseconds.
 *
 * Each field has the name of its environment variable; those of accounts and mail are in PeopleSettings, those of pictures in MediaSettings. Each field also needs an initializer, if only
 * `undefined`, because `SETTING_NAMES` lists the fields of a new object.
 */
export class Env extends MediaSettings {
  @IsIn(['development', 'production', 'test'])
  readonly NODE_ENV: 'development' | 'production' | 'test' = 'development';

  @WholeNumber(0, 65_535)
  readonly PORT: number = 3_000;

  @Length(1, 255)
  readonly HOST: string = '127.0.0.1';

  /** Number of processes that share the port. `auto` derives it from the number of CPU cores. */
  @WorkerCount()
  readonly WORKERS: number | 'auto' = 1;

  /**
   * Milliseconds that a server goes on serving after it is told to stop, before it stops listening. During
   * this time it reports that it is not ready.
   */
  @WholeNumber(0, 600_000, 'a whole number of milliseconds')
  readonly STOP_DELAY_MS: number = 0;

  /** Size of the response cache of each process, in MiB; 0 switches it off. */
  @WholeNumber(0, 65_536, 'a whole number of megabytes')
  readonly CACHE_MB: number = 64;

  /** The URI must name a database, because without one the driver would use `test`. */
  @IsOptional()
  @Matches(/^mongodb(\+srv)?:\/\/[^/?]+\/[^/?]+(\?.*)?$/, {
    message:
      'MONGODB_URI must start with mongodb:// or mongodb+srv:// and name a database, ' +
      'such as mongodb://localhost:27017/pressroom',
  })
  readonly MONGODB_URI: string | undefined = undefined;

  @Length(1, 4_096)
  readonly DATA_DIR: string = '.data';

  @IsOptional()
  @Length(1, 4_096)
  readonly MONGOMS_SYSTEM_BINARY: string | undefined = undefined;

  /** The folders that are searched for a `mongod`. */
  @IsOptional()
  @MaxLength(100_000)
  readonly PATH: string | undefined = undefined;

  /** The folder for caches of the operating system's user; a downloaded `mongod` is kept in it. */
  @IsOptional()
  @Length(1, 4_096)
  readonly XDG_CACHE_HOME: string | undefined = undefined;

  @IsIn(ON_OFF)
  readonly MIGRATE: OnOff = 'on';

  @IsOptional()
  @Matches(/^[\x21-\x7e]{8,256}$/, {
    message: 'API_KEY must be 8 to 256 printable ASCII characters without blanks',
  })
  readonly API_KEY: string | undefined = undefined;

  /** The email address, trimmed and in lower case, as accounts store it. */
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.trim().toLowerCase() : value,
  )
  @IsOptional()
  @IsEmail()
  @MaxLength(254)
  readonly ADMIN_EMAIL: string | undefined = undefined;

  @IsOptional()
  @MinLength(8)
  @IsByteLength(0, 72, { message: 'ADMIN_PASSWORD must have at most 72 bytes of UTF-8' })
  readonly ADMIN_PASSWORD: string | undefined = undefined;

  @IsOptional()
  @Matches(/-----BEGIN [A-Z ]*PRIVATE KEY-----/, {
    message: 'JWT_PRIVATE_KEYS must hold one or more RSA private keys in PEM',
  })
  readonly JWT_PRIVATE_KEYS: string | undefined = undefined;

  @IsOptional()
  @Length(1, 4_096)
  readonly JWT_PRIVATE_KEYS_FILE: string | undefined = undefined;

  @Length(1, 200)
  readonly JWT_ISSUER: string = 'pressroom';

  @Length(1, 200)
  readonly JWT_AUDIENCE: string = 'pressroom';

  @Duration()
  readonly ACCESS_TOKEN_TTL: number = ms('15m');

  @Duration()
  readonly REFRESH_IDLE_TTL: number = ms('14d');

  @Duration()
  readonly SESSION_MAX_AGE: number = ms('90d');

  @WholeNumber(10, 15)
  readonly BCRYPT_COST: number = 10;

  /** How long the records of the audit log are kept after they were sealed. */
  @Duration()
  readonly AUDIT_KEEP: number = ms('400d');

  @IsIn(ON_OFF)
  readonly RATE_LIMITS: OnOff = 'on';

  @RateSetting()
  readonly LIMIT_SIGNUP: Rate = parseRate('100/1h');

  @RateSetting()
  readonly LIMIT_CONTACT: Rate = parseRate('30/1h');

  @RateSetting()
  readonly LIMIT_PASSWORD: Rate = parseRate('30/1h');

  /** Number of failed login attempts at one account from one client prefix that cause no delay. */
  @RateSetting()
  readonly GUESSES_PER_ACCOUNT: Rate = parseRate('5/1d');

  /** Number of failed login attempts from one client prefix, at all accounts together, that cause no delay. */
  @RateSetting()
  readonly GUESSES_PER_NETWORK: Rate = parseRate('100/1h');

  @Duration()
  readonly GUESS_DELAY_MAX: number = ms('15m');

  @Duration()
  readonly GUESS_NETWORK_DELAY_MAX: number = ms('1m');

  /** Number of failed login attempts of all clients together that causes a warning in the log. */
  @RateSetting()
  readonly GUESS_ALARM: Rate = parseRate('1000/1h');

  /** Whether an article must be published by an editor who has not contributed to it. */
  @IsIn(ON_OFF)
  readonly FOUR_EYES: OnOff = 'off';

  /** Number of newest revisions of a blog that are kept. Its first and its latest publication are always kept. */
  @WholeNumber(1, 1_000)
  readonly REVISIONS_KEEP: number = 50;

  /** How long a deleted blog stays in the trash. */
  @Duration()
  readonly TRASH_KEEP: number = ms('30d');

  /** Origins whose pages may call the API; `*` allows every origin, an empty list none. */
  @CommaList()
  @Matches(/^(\*|https?:\/\/[^/\s*]+)$/, {
    each: true,
    message: 'CORS_ORIGINS must be a comma list of origins such as https://www.example.org, or *',
  })
  readonly CORS_ORIGINS: readonly string[] = ['*'];

  /** Host names of the sites whose pages an `iframe` in an article may show, over https; none by default. */
  @CommaList()
  @HostNames()
  readonly EMBED_HOSTS: readonly string[] = [];

  /**
   * How long a shared cache may use its copy of a public answer without asking the server. If unset, the cache
   * always asks.
   */
  @IsOptional()
  @Duration()
  readonly PUBLIC_CACHE: number | undefined = undefined;

  /**
   * How much longer than PUBLIC_CACHE a shared cache may use its copy while it asks the server, or while no
   * server answers. It has no effect without PUBLIC_CACHE.
   */
  @IsOptional()
  @Duration()
  readonly PUBLIC_CACHE_STALE: number | undefined = undefined;

  /**
   * URL of the site that shows the articles, without a slash at the end. Feeds and sitemap need it.
   */
  @SiteUrl()
  readonly SITE_URL: string | undefined = undefined;

  /**
   * Path of an article on the site of SITE_URL. `{slug}` and `{id}` stand for the slug and the id of the
   * article.
   */
  @SitePath()
  readonly SITE_ARTICLE_PATH: string = '/{slug}';

  /** Title of the site in feeds; the host of SITE_URL if it is unset. */
  @IsOptional()
  @Length(1, 200)
  readonly SITE_TITLE: string | undefined = undefined;

  /** What the site is about, for feeds. */
  @IsOptional()
  @Length(1, 1_000)
  readonly SITE_DESCRIPTION: string | undefined = undefined;

  /** Language of the site in feeds. If it is unset, feeds name no language. */
  @LanguageTag()
  readonly SITE_LANGUAGE: string | undefined = undefined;

  /** Whether feeds contain the whole text of articles (`full`) or only their description. */
  @IsIn(['full', 'description'])
  readonly FEED_TEXT: 'full' | 'description' = 'full';

  /** Whether requests for feeds and sitemap need no API key. */
  @IsIn(ON_OFF)
  readonly PUBLIC_FEEDS: OnOff = 'off';

  /** Whether webhooks may call http URLs as well. */
  @IsIn(ON_OFF)
  readonly WEBHOOK_HTTP: OnOff = 'off';

  /** Whether webhooks may call private and loopback addresses. */
  @IsIn(ON_OFF)
  readonly WEBHOOK_PRIVATE: OnOff = 'off';

  /**
   * The language of the articles. A search compares the stems that words have in this language. With `none` it
   * compares whole words.
   */
  @IsIn(SEARCH_LANGUAGES)
  readonly SEARCH_LANGUAGE: SearchLanguage = 'en';

  /** IP addresses or CIDR ranges of proxies whose X-Forwarded-For is trusted. */
  @CommaList()
  @AddressRanges()
  readonly TRUST_PROXY: readonly string[] = [];

  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  readonly LOG_LEVEL: string = 'info';

  @IsIn(['all', 'notable', 'none'])
  readonly LOG_REQUESTS: 'all' | 'notable' | 'none' = 'all';

  @WholeNumber(1, 999_999_999, 'a whole number of milliseconds')
  readonly SLOW_MS: number = 500;

  @IsIn(ON_OFF)
  readonly DOCS: OnOff = 'on';

  /** URL at which clients reach the API, for the OpenAPI document; without a slash at the end. */
  @SiteUrl()
  readonly PUBLIC_URL: string | undefined = undefined;

  /** Port of the metrics server. If it is unset, there are no metrics. */
  @IsOptional()
  @WholeNumber(0, 65_535)
  readonly METRICS_PORT: number | undefined = undefined;

  /** Address of the metrics server. Whoever can connect to it may read the metrics, without a key. */
  @Length(1, 255)
  readonly METRICS_HOST: string = '127.0.0.1';
}

/** The defaults of production that differ from those of development. */
const PRODUCTION_DEFAULTS: Partial<Env> = {
  HOST: '0.0.0.0',
  MIGRATE: 'off',
  CORS_ORIGINS: [],
  LOG_REQUESTS: 'notable',
  DOCS: 'off',
};

/** The names of the environment variables that are read. */
export const SETTING_NAMES = Object.keys(new Env()) as readonly (keyof Env)[];

/**
 * Parses and checks the settings, and fills in the defaults.
 *
 * @param source variables by name; an empty value counts as unset
 * @throws ConfigurationError naming each variable that is missing or wrong
 */
export function validateEnv(source: Readonly<Record<string, string | undefined>>): Env {
  const given: Partial<Record<keyof Env, string>> = {};
  for (const name of SETTING_NAMES) if (source[name]) given[name] = source[name];
  const isProduction = given.NODE_ENV === 'production';
  const env = plainToInstance(Env, { ...(isProduction ? PRODUCTION_DEFAULTS : {}), ...given });
  const problems = validateSync(env, { validationError: { target: false, value: false } }).flatMap(
    ({ constraints }) => Object.values(constraints ?? {}),
  );
  if (isProduction && env.MONGODB_URI === undefined) {
    problems.push('MONGODB_URI must be set in production (a replica set is recommended)');
  }
  if (isProduction && !env.JWT_PRIVATE_KEYS && !env.JWT_PRIVATE_KEYS_FILE) {
    problems.push('JWT_PRIVATE_KEYS or JWT_PRIVATE_KEYS_FILE must be set in production');
  }
  const origins = env.CORS_ORIGINS.map((origin) => URL.parse(origin)?.hostname);
  if ([env.HOST, ...origins].some((host) => env.EMBED_HOSTS.includes(host ?? ''))) {
    // A frame with the same origin as the page around it could remove its own sandbox.
    problems.push('EMBED_HOSTS must not hold HOST, nor a host of CORS_ORIGINS');
  }
  if (env.METRICS_PORT === env.PORT && env.PORT !== 0) {
    problems.push('METRICS_PORT must not be PORT');
  }
  problems.push(...peopleProblems(env, isProduction));
  if (problems.length > 0) throw new ConfigurationError(problems);
  return env;
}

/**
 * Reads the settings from the environment. Those that the environment lacks are read from the file `.env`.
 *
 * @throws ConfigurationError
 */
export function readEnv(): Env {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return validateEnv(process.env);
}

/**
 * Variables that are no settings, but resemble one: probably they are misspelled.
 *
 * @param source variables by name
 */
export function misspelledSettings(
  source: Readonly<Record<string, string | undefined>> = process.env,
): { readonly name: string; readonly meant: string }[] {
  const known: readonly string[] = SETTING_NAMES;
  return Object.keys(source)
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = similarName(name, known);
      return meant === null ? [] : [{ name, meant }];
    });
}

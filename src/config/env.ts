import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { plainToInstance, Transform } from 'class-transformer';
import {
  IsByteLength,
  IsEmail,
  IsIn,
  IsInt,
  IsOptional,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  validateSync,
} from 'class-validator';
import { DURATION_PATTERN } from './duration.js';
import { OperatorError } from './operator.error.js';
import { RATE_PATTERN } from './rate.js';

const ON_OFF = ['on', 'off'] as const;
type OnOff = (typeof ON_OFF)[number];

const DURATION = {
  message: '$property must be a duration such as 15m, 12h or 14d (units ms, s, m, h, d)',
};

const RATE = { message: '$property must be a rate such as 100/1h (how many, in which time)' };

/** Numbers arrive as text; anything that is not plain digits stays text and fails the check. */
const Digits = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
  );

/** `a, b` → `['a', 'b']`. */
const CommaList = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string'
      ? value
          .split(',')
          .map((item) => item.trim())
          .filter((item) => item !== '')
      : value,
  );

/** Above it, more processes only cost memory. */
const MAX_WORKERS = 64;

/** How many processes there are, or `auto`. */
const WorkerCount = (): PropertyDecorator =>
  ValidateBy({
    name: 'workerCount',
    validator: {
      validate: (value: unknown) =>
        value === 'auto' || (typeof value === 'number' && value >= 1 && value <= MAX_WORKERS),
      defaultMessage: (args) =>
        `${args?.property} must be a whole number from 1 to ${MAX_WORKERS}, or auto`,
    },
  });

/** Addresses, each with or without the length of a prefix. */
const AddressRanges = (): PropertyDecorator =>
  ValidateBy(
    {
      name: 'addressRanges',
      validator: {
        validate: isAddressRange,
        defaultMessage: (args) =>
          `${args?.property} must be a comma list of addresses or ranges such as 10.0.0.0/8`,
      },
    },
    { each: true },
  );

function isAddressRange(value: unknown): boolean {
  const [, address = '', prefix = '1'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(String(value)) ?? [];
  const version = isIP(address);
  // A range of all addresses would let anybody choose the one that is counted.
  const isWithin = Number(prefix) >= 1 && Number(prefix) <= (version === 4 ? 32 : 128);
  return version !== 0 && isWithin;
}

/**
 * Every setting of Pressroom, parsed once at start (contract, section 11). `.env.example` has a
 * word on each. Nothing else reads the environment.
 */
export class Env {
  @IsIn(['development', 'production', 'test'])
  readonly NODE_ENV!: 'development' | 'production' | 'test';

  @Digits()
  @IsInt({ message: 'PORT must be a whole number' })
  @Min(0)
  @Max(65_535)
  readonly PORT!: number;

  @Length(1, 255)
  readonly HOST!: string;

  /** Processes that share the port; `auto`: as many as the machine has room for. */
  @Digits()
  @WorkerCount()
  readonly WORKERS!: number | 'auto';

  /** For what each process serves from memory, in MiB; 0: nothing is. */
  @Digits()
  @IsInt({ message: 'CACHE_MB must be a whole number of megabytes' })
  @Min(0)
  @Max(65_536)
  readonly CACHE_MB!: number;

  @IsOptional()
  @Matches(/^mongodb(\+srv)?:\/\//, {
    message: 'MONGODB_URI must start with mongodb:// or mongodb+srv://',
  })
  readonly MONGODB_URI?: string;

  @Length(1, 4_096)
  readonly DATA_DIR!: string;

  @IsOptional()
  @Length(1, 4_096)
  readonly MONGOMS_SYSTEM_BINARY?: string;

  /** Where a `mongod` is looked for, and where a downloaded one is kept. */
  @IsOptional()
  @MaxLength(100_000)
  readonly PATH?: string;

  @IsOptional()
  @Length(1, 4_096)
  readonly XDG_CACHE_HOME?: string;

  @IsIn(ON_OFF)
  readonly MIGRATE!: OnOff;

  @IsOptional()
  @Matches(/^[\x21-\x7e]{8,256}$/, {
    message: 'API_KEY must be 8 to 256 printable ASCII characters without blanks',
  })
  readonly API_KEY?: string;

  /** As accounts store it: trimmed and lower-cased. */
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.trim().toLowerCase() : value,
  )
  @IsOptional()
  @IsEmail()
  @MaxLength(254)
  readonly ADMIN_EMAIL?: string;

  @IsOptional()
  @MinLength(8)
  @IsByteLength(0, 72, { message: 'ADMIN_PASSWORD must have at most 72 bytes of UTF-8' })
  readonly ADMIN_PASSWORD?: string;

  @IsOptional()
  @Matches(/-----BEGIN [A-Z ]*PRIVATE KEY-----/, {
    message: 'JWT_PRIVATE_KEYS must hold one or more RSA private keys in PEM',
  })
  readonly JWT_PRIVATE_KEYS?: string;

  @IsOptional()
  @Length(1, 4_096)
  readonly JWT_PRIVATE_KEYS_FILE?: string;

  @Length(1, 200)
  readonly JWT_ISSUER!: string;

  @Length(1, 200)
  readonly JWT_AUDIENCE!: string;

  @Matches(DURATION_PATTERN, DURATION)
  readonly ACCESS_TOKEN_TTL!: string;

  @Matches(DURATION_PATTERN, DURATION)
  readonly REFRESH_IDLE_TTL!: string;

  @Matches(DURATION_PATTERN, DURATION)
  readonly SESSION_MAX_AGE!: string;

  @Digits()
  @IsInt({ message: 'BCRYPT_COST must be a whole number' })
  @Min(10)
  @Max(15)
  readonly BCRYPT_COST!: number;

  @IsIn(ON_OFF)
  readonly RATE_LIMITS!: OnOff;

  @Matches(RATE_PATTERN, RATE)
  readonly LIMIT_SIGNUP!: string;

  @Matches(RATE_PATTERN, RATE)
  readonly LIMIT_CONTACT!: string;

  @Matches(RATE_PATTERN, RATE)
  readonly LIMIT_PASSWORD!: string;

  @Matches(RATE_PATTERN, RATE)
  readonly GUESSES_PER_ACCOUNT!: string;

  @Matches(RATE_PATTERN, RATE)
  readonly GUESSES_PER_NETWORK!: string;

  @Matches(DURATION_PATTERN, DURATION)
  readonly GUESS_DELAY_MAX!: string;

  @Matches(DURATION_PATTERN, DURATION)
  readonly GUESS_NETWORK_DELAY_MAX!: string;

  @Matches(RATE_PATTERN, RATE)
  readonly GUESS_ALARM!: string;

  /** Origins that browsers may call from; `*` is any, an empty list none. */
  @CommaList()
  @Matches(/^(\*|https?:\/\/[^/\s*]+)$/, {
    each: true,
    message: 'CORS_ORIGINS must be a comma list of origins such as https://www.example.org, or *',
  })
  readonly CORS_ORIGINS!: readonly string[];

  /** Addresses or CIDR ranges of proxies whose X-Forwarded-For is believed. */
  @CommaList()
  @AddressRanges()
  readonly TRUST_PROXY!: readonly string[];

  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  readonly LOG_LEVEL!: string;

  @IsIn(['all', 'notable', 'none'])
  readonly LOG_REQUESTS!: 'all' | 'notable' | 'none';

  @Digits()
  @IsInt({ message: 'SLOW_MS must be a whole number of milliseconds' })
  @Min(1)
  readonly SLOW_MS!: number;

  @IsIn(ON_OFF)
  readonly DOCS!: OnOff;
}

const DEFAULTS = {
  NODE_ENV: 'development',
  PORT: '3000',
  HOST: '127.0.0.1',
  WORKERS: '1',
  CACHE_MB: '64',
  DATA_DIR: '.data',
  MIGRATE: 'on',
  JWT_ISSUER: 'pressroom',
  JWT_AUDIENCE: 'pressroom',
  ACCESS_TOKEN_TTL: '15m',
  REFRESH_IDLE_TTL: '14d',
  SESSION_MAX_AGE: '90d',
  BCRYPT_COST: '10',
  RATE_LIMITS: 'on',
  LIMIT_SIGNUP: '100/1h',
  LIMIT_CONTACT: '30/1h',
  LIMIT_PASSWORD: '30/1h',
  GUESSES_PER_ACCOUNT: '5/1d',
  GUESSES_PER_NETWORK: '100/1h',
  GUESS_DELAY_MAX: '15m',
  GUESS_NETWORK_DELAY_MAX: '1m',
  GUESS_ALARM: '1000/1h',
  CORS_ORIGINS: '*',
  TRUST_PROXY: '',
  LOG_LEVEL: 'info',
  LOG_REQUESTS: 'all',
  SLOW_MS: '500',
  DOCS: 'on',
} as const;

const PRODUCTION_DEFAULTS = {
  HOST: '0.0.0.0',
  MIGRATE: 'off',
  CORS_ORIGINS: '',
  LOG_REQUESTS: 'notable',
  DOCS: 'off',
} as const;

/** The configuration does not hold; the message names every variable at fault. */
export class ConfigurationError extends OperatorError {
  constructor(problems: readonly string[]) {
    super(
      `Pressroom cannot start, its configuration needs a correction:\n` +
        problems.map((problem) => `  - ${problem}`).join('\n') +
        `\nEvery variable is explained in .env.example.`,
    );
    this.name = 'ConfigurationError';
  }
}

/**
 * Checks the settings and fills in the defaults.
 *
 * @param source variables by name; an empty value counts as unset
 * @throws ConfigurationError naming each variable that is missing or wrong
 */
export function validateEnv(source: Readonly<Record<string, string | undefined>>): Env {
  const given = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value !== ''),
  );
  const isProduction = given['NODE_ENV'] === 'production';
  const values = { ...DEFAULTS, ...(isProduction ? PRODUCTION_DEFAULTS : {}), ...given };
  const known = Object.fromEntries(
    Object.entries(values).filter(([name]) => SETTING_NAMES.has(name)),
  );
  const env = plainToInstance(Env, known);
  const problems = validateSync(env, { validationError: { target: false, value: false } }).flatMap(
    ({ constraints }) => Object.values(constraints ?? {}),
  );
  if (isProduction && env.MONGODB_URI === undefined) {
    problems.push('MONGODB_URI must be set in production (a replica set is recommended)');
  }
  if (isProduction && !env.JWT_PRIVATE_KEYS && !env.JWT_PRIVATE_KEYS_FILE) {
    problems.push('JWT_PRIVATE_KEYS or JWT_PRIVATE_KEYS_FILE must be set in production');
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return env;
}

/**
 * Reads `.env` (if there is one; what the environment already says wins) and the environment.
 *
 * @throws ConfigurationError
 */
export function readEnv(): Env {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return validateEnv(process.env);
}

/** Settings without a default are listed by hand: a class field alone leaves no trace at run time. */
const SETTING_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(DEFAULTS),
  'MONGODB_URI',
  'MONGOMS_SYSTEM_BINARY',
  'PATH',
  'XDG_CACHE_HOME',
  'API_KEY',
  'ADMIN_EMAIL',
  'ADMIN_PASSWORD',
  'JWT_PRIVATE_KEYS',
  'JWT_PRIVATE_KEYS_FILE',
]);

import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '../configuration.error.js';
import { validateEnv } from '../env.js';
import type { PeopleSettings } from './people-settings.js';

/** The settings that others of this file need beside them. */
const BASE = {
  MAIL_FROM: 'desk@example.org',
  PUBLIC_URL: 'https://api.example',
  OIDC_ISSUER: 'https://login.example',
  OIDC_CLIENT_ID: 'pressroom',
  OIDC_CLIENT_SECRET: 'secret',
  OIDC_RETURN_URLS: 'https://www.example/account',
};

const PRODUCTION = {
  NODE_ENV: 'production',
  MONGODB_URI: 'mongodb://db.example/pressroom',
  JWT_PRIVATE_KEYS: '-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----\n',
};

const ON_OFF = { good: { on: 'on', off: 'off' }, bad: ['true', 'ON', '1', 'yes'] };

interface Values {
  /** Accepted texts, each with its parsed value. */
  readonly good: Readonly<Record<string, unknown>>;
  /** Refused texts. */
  readonly bad: readonly string[];
}

/** The type requires an entry for every setting. */
const VALUES: Readonly<Record<keyof PeopleSettings, Values>> = {
  SITE_ACCOUNT_URL: {
    good: { 'https://www.example/account/': 'https://www.example/account' },
    bad: ['www.example', 'ftp://www.example', 'https://www.example/#a'],
  },
  SMTP_URL: {
    good: {
      'smtp://127.0.0.1:2525': 'smtp://127.0.0.1:2525',
      'smtps://me:secret@mail.example': 'smtps://me:secret@mail.example',
      'smtp://mail.example:587?requireTLS=false': 'smtp://mail.example:587?requireTLS=false',
    },
    bad: ['mail.example', 'http://mail.example', 'smtp://', 'smtp://mail.example/x', 'smtp://a b'],
  },
  MAIL_FROM: {
    good: {
      'desk@example.org': 'desk@example.org',
      'The Desk <desk@example.org>': 'The Desk <desk@example.org>',
    },
    bad: ['desk', 'The Desk <desk>', '"The Desk" <desk@example.org>', 'a@b.org\nBcc: c@d.org'],
  },
  MAIL_TEMPLATES: { good: { './mails': './mails' }, bad: ['x'.repeat(4_097)] },
  LIMIT_MAIL: { good: { '5/1m': { count: 5, seconds: 60 } }, bad: ['5', '0/1h'] },
  SIGNUP: {
    good: { open: 'open', invited: 'invited', off: 'off' },
    bad: ['on', 'closed', 'Open'],
  },
  REQUIRE_2FA: {
    good: { 'ADMIN,EDITOR': ['ADMIN', 'EDITOR'], ADMIN: ['ADMIN'] },
    bad: ['admin', 'ADMIN;EDITOR', 'all'],
  },
  PROVIDER_2FA: ON_OFF,
  NOTICE_DIGEST_AT: {
    good: { '00:00': '00:00', '23:59': '23:59' },
    bad: ['24:00', '7:00', 'noon', '07:60'],
  },
  EMAIL_VERIFICATION: ON_OFF,
  OIDC_ISSUER: {
    good: {
      'https://login.example/realms/news': 'https://login.example/realms/news',
      'http://127.0.0.1:8080': 'http://127.0.0.1:8080',
    },
    bad: ['http://login.example', 'https://a@b.example', 'https://a.example/#b', 'login.example'],
  },
  OIDC_CLIENT_ID: { good: { pressroom: 'pressroom' }, bad: ['x'.repeat(501)] },
  OIDC_CLIENT_SECRET: { good: { 'a secret': 'a secret' }, bad: ['x'.repeat(4_097)] },
  OIDC_RETURN_URLS: {
    good: {
      'https://a.example/back?x=1, http://localhost:5173': [
        'https://a.example/back?x=1',
        'http://localhost:5173',
      ],
    },
    bad: ['http://a.example/', 'https://a.example/#b', 'https://a.example\\@b.example', '*'],
  },
  OIDC_SCOPES: { good: { 'openid groups': 'openid groups' }, bad: ['email profile', 'openidx'] },
  OIDC_ROLES: {
    good: {
      'groups:news desk=EDITOR, https://a.example/roles:boss=ADMIN': [
        { claim: 'groups', value: 'news desk', role: 'EDITOR' },
        { claim: 'https://a.example/roles', value: 'boss', role: 'ADMIN' },
      ],
    },
    bad: ['groups=EDITOR', 'groups:a=LEARNER', 'groups:a=EDITOR,', 'groups:a'],
  },
  OIDC_ONLY: ON_OFF,
  LIMIT_OIDC: { good: { '5/1m': { count: 5, seconds: 60 } }, bad: ['5'] },
};

describe.each(Object.entries(VALUES))('%s', (name, { good, bad }) => {
  it('should accept its values', () => {
    for (const [given, parsed] of Object.entries(good)) {
      const env = validateEnv({ ...BASE, [name]: given });
      expect(env[name as keyof PeopleSettings]).toEqual(parsed);
    }
  });

  it('should refuse other values, and name this setting in every message', () => {
    for (const given of bad)
      expect(problemsOf({ ...BASE, [name]: given })).toEqual([expect.stringContaining(name)]);
  });
});

describe('peopleProblems', () => {
  it.each([
    ['MAIL_FROM must be set with SMTP_URL', { SMTP_URL: 'smtp://mail.example' }],
    [
      'PUBLIC_URL must be set with SMTP_URL: the links of mails begin with it',
      { ...PRODUCTION, MAIL_FROM: BASE.MAIL_FROM, SMTP_URL: 'smtp://mail.example' },
    ],
    [
      'SMTP_URL must be set with EMAIL_VERIFICATION=on',
      { ...PRODUCTION, EMAIL_VERIFICATION: 'on' },
    ],
    ['OIDC_ISSUER must be set with OIDC_CLIENT_ID', { OIDC_CLIENT_ID: 'pressroom' }],
    ['OIDC_ISSUER must be set with OIDC_ONLY=on', { OIDC_ONLY: 'on' }],
    ['OIDC_CLIENT_ID must be set with OIDC_ISSUER', { ...BASE, OIDC_CLIENT_ID: '' }],
    ['OIDC_CLIENT_SECRET must be set with OIDC_ISSUER', { ...BASE, OIDC_CLIENT_SECRET: '' }],
    ['OIDC_RETURN_URLS must be set with OIDC_ISSUER', { ...BASE, OIDC_RETURN_URLS: '' }],
    ['PUBLIC_URL must be set with OIDC_ISSUER', { ...BASE, PUBLIC_URL: '' }],
    ['PUBLIC_URL must be https with OIDC_ISSUER', { ...BASE, PUBLIC_URL: 'http://api.example' }],
  ])('should say: %s', (problem, settings) => {
    expect(problemsOf(settings)).toEqual([problem]);
  });
});

function problemsOf(settings: Readonly<Record<string, string>>): readonly string[] {
  try {
    validateEnv(settings);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems;
  }
}

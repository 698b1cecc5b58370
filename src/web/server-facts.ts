import { createRequire } from 'node:module';
import type { INestApplication } from '@nestjs/common';
import { PageKeyService } from '../apikey/page-key.service.js';
import { MailTexts } from '../events/mail/texts/mail-texts.service.js';
import { ApiKeyService } from '../apikey/api-key.service.js';
import type { Env } from '../platform/config/env.js';
import { MongoLocation } from '../platform/database/mongo-location.js';
import { readCredentials } from '../admin/credentials.js';
import { DEMO_PEOPLE, type DemoPerson } from '../cli/setup/demo/demo-people.js';
import { readDemoPassword } from '../cli/setup/demo/demo-password.js';

/** The path is the same from `src/web` and from `dist/web`. */
const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

/** Facts about the server that the pages show in addition to what the API returns. */
export interface ServerFacts {
  readonly version: string;
  /** Where the database runs; absent in production. */
  readonly database?: 'embedded' | 'external';
  readonly links?: readonly string[];
}

/** Secrets for whoever opens the link that the start prints. */
export interface LocalSecrets {
  /** The API key of the settings or the data folder; absent if there is none, or if it is not valid. */
  readonly apiKey?: string;
  /** The people of the demo; empty without demo data. */
  readonly people: readonly (DemoPerson & { readonly password: string })[];
}

export function serverFacts(app: INestApplication, env: Env): ServerFacts {
  if (env.NODE_ENV === 'production') return { version };
  const { isEmbedded } = app.get(MongoLocation);
  return { version, database: isEmbedded ? 'embedded' : 'external', links: linksOf(env) };
}

function linksOf({ DOCS, SITE_URL, PUBLIC_FEEDS }: Env): string[] {
  return [
    ...(DOCS === 'on' ? ['/docs', '/openapi.json'] : []),
    '/health',
    ...(SITE_URL !== undefined && PUBLIC_FEEDS === 'on'
      ? ['/feeds/rss.xml', '/feeds/atom.xml', '/feeds/feed.json', '/sitemap.xml']
      : []),
  ];
}

/** The secrets of the data folder that the start page shows; never the password of an admin. */
export async function localSecrets(app: INestApplication, env: Env): Promise<LocalSecrets> {
  const apiKey = env.API_KEY ?? (await readCredentials(env.DATA_DIR))?.apiKey;
  const password = await readDemoPassword(env.DATA_DIR);
  return {
    ...(apiKey !== undefined && (await isValid(app.get(ApiKeyService), apiKey)) ? { apiKey } : {}),
    people:
      password === null
        ? []
        : Object.values(DEMO_PEOPLE).map((person) => ({ ...person, password })),
  };
}

/** What the account page needs to know. */
export interface AccountFacts {
  /** The API key of the server's pages; absent while an admin has disabled it. */
  readonly apiKey?: string;
  readonly site: string;
  readonly language: string;
}

export async function accountFacts(app: INestApplication): Promise<AccountFacts> {
  const apiKey = await app.get(PageKeyService).find();
  const { site, language } = app.get(MailTexts);
  return { ...(apiKey === null ? {} : { apiKey }), site, language };
}

async function isValid(apiKeys: ApiKeyService, apiKey: string): Promise<boolean> {
  return apiKeys.verify(apiKey).then(
    () => true,
    () => false,
  );
}

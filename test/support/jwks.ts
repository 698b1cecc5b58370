import type { JsonWebKey } from 'node:crypto';
import type { TestApp } from './start-app.js';

interface Jwks {
  readonly keys: readonly (JsonWebKey & { readonly kid: string })[];
}

/** What `GET /.well-known/jwks.json` answers. */
export const jwksOf = async ({ url }: Pick<TestApp, 'url'>): Promise<Jwks> =>
  (await (await fetch(`${url}/.well-known/jwks.json`)).json()) as Jwks;

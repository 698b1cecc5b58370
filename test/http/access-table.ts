import type { RoleCode } from '../../src/common/access/role-code.js';

/** What a request must bring before the handler of a route runs. */
export interface AccessRow {
  readonly method: string;
  readonly path: string;
  readonly key: boolean;
  /** `expired-ok`: the signature must hold, but the token may have expired. */
  readonly token: 'required' | 'expired-ok' | 'none';
  readonly role: RoleCode | null;
}

type Access = Omit<AccessRow, 'method' | 'path'>;

const OPEN: Access = { key: false, token: 'none', role: null };
const KEY: Access = { key: true, token: 'none', role: null };
const TOKEN: Access = { key: true, token: 'required', role: null };
const EXPIRED_TOKEN: Access = { key: true, token: 'expired-ok', role: null };
const AUTHOR: Access = { key: true, token: 'required', role: 'AUTHOR' };
const EDITOR: Access = { key: true, token: 'required', role: 'EDITOR' };
const ADMIN: Access = { key: true, token: 'required', role: 'ADMIN' };

/** Served with DOCS=on only. */
export const DOCS_ROWS: readonly AccessRow[] = [
  ...rows('GET HEAD', '/openapi.json', OPEN),
  ...rows('GET HEAD', '/docs', OPEN),
  ...rows('GET HEAD', '/docs/start.js', OPEN),
  ...rows('GET HEAD', '/docs/swagger-ui.css', OPEN),
  ...rows('GET HEAD', '/docs/swagger-ui-bundle.js', OPEN),
  ...rows('GET HEAD', '/docs/favicon-16x16.png', OPEN),
  ...rows('GET HEAD', '/docs/favicon-32x32.png', OPEN),
];

/** CORS preflights; not served without CORS_ORIGINS. */
export const PREFLIGHT_ROWS: readonly AccessRow[] = rows('OPTIONS', '*', OPEN);

/** The interface, section 4, and contract sections 1 to 4, 6, 7, 9 and 10: one row per route. */
export const API_ROWS: readonly AccessRow[] = [
  ...rows('GET HEAD', '/health', OPEN),
  ...rows('GET HEAD', '/health/live', OPEN),
  ...rows('GET HEAD', '/health/ready', OPEN),
  ...rows('GET HEAD', '/.well-known/jwks.json', OPEN),

  ...rows('POST', '/auth/signup/basic', KEY),
  ...rows('POST', '/auth/signin/basic', KEY),
  ...rows('POST', '/auth/refresh', EXPIRED_TOKEN),
  ...rows('POST', '/auth/token/refresh', EXPIRED_TOKEN),
  ...rows('DELETE POST', '/auth/signout', TOKEN),
  ...rows('GET HEAD', '/auth/verify/apikey', KEY),
  ...rows('PUT', '/auth/password', TOKEN),
  ...rows('GET HEAD DELETE', '/auth/sessions', TOKEN),
  ...rows('DELETE', '/auth/sessions/id/:id', TOKEN),

  ...rows('GET HEAD PUT DELETE', '/profile/mine', TOKEN),
  ...rows('GET HEAD', '/profile/id/:id', TOKEN),
  ...rows('POST', '/contact', KEY),

  ...rows('POST PUT', '/blog/author', AUTHOR),
  ...rows('GET HEAD PUT DELETE', '/blog/author/id/:id', AUTHOR),
  ...rows('PUT', '/blog/author/submit/:id', AUTHOR),
  ...rows('PUT', '/blog/author/submit/id/:id', AUTHOR),
  ...rows('PUT', '/blog/author/withdraw/:id', AUTHOR),
  ...rows('PUT', '/blog/author/withdraw/id/:id', AUTHOR),
  ...rows('PUT', '/blog/author/discard/:id', AUTHOR),
  ...rows('GET HEAD', '/blog/author/drafts', AUTHOR),
  ...rows('GET HEAD', '/blog/author/submitted', AUTHOR),
  ...rows('GET HEAD', '/blog/author/published', AUTHOR),

  ...rows('GET HEAD', '/blog/editor/id/:id', EDITOR),
  ...rows('GET HEAD', '/blog/editor/submitted', EDITOR),
  ...rows('GET HEAD', '/blog/editor/published', EDITOR),
  ...rows('PUT', '/blog/editor/publish/id/:id', EDITOR),
  ...rows('PUT', '/blog/editor/unpublish/id/:id', EDITOR),

  ...rows('GET HEAD', '/blog/id/:id', KEY),
  ...rows('GET HEAD', '/blog/slug/:slug', KEY),
  ...rows('GET HEAD', '/blog/list/latest', KEY),
  ...rows('GET HEAD', '/blogs/latest', KEY),
  ...rows('GET HEAD', '/blogs/tag/:tag', KEY),
  ...rows('GET HEAD', '/blogs/similar/id/:id', KEY),

  ...rows('GET HEAD', '/admin/users', ADMIN),
  ...rows('GET HEAD', '/admin/users/id/:id', ADMIN),
  ...rows('PUT', '/admin/users/id/:id/roles', ADMIN),
  ...rows('PUT', '/admin/users/id/:id/status', ADMIN),
  ...rows('GET HEAD POST', '/admin/apikeys', ADMIN),
  ...rows('PUT DELETE', '/admin/apikeys/id/:id', ADMIN),
  ...rows('GET HEAD', '/admin/messages', ADMIN),
];

function rows(methods: string, path: string, access: Access): AccessRow[] {
  return methods.split(' ').map((method) => ({ method, path, ...access }));
}

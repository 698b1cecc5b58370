import { ACCOUNT_ROWS } from './rows/people/account-rows.js';
import { ADMIN_ROWS } from './rows/admin-rows.js';
import { EDITORIAL_ROWS } from './rows/editorial-rows.js';
import { FACTOR_ROWS } from './rows/people/factor-rows.js';
import { LINK_ROWS } from './rows/people/link-rows.js';
import { MEDIA_ROWS } from './rows/media-rows.js';
import { NOTICE_ROWS } from './rows/people/notice-rows.js';
import { OIDC_ROWS } from './rows/people/oidc-rows.js';
import { PUBLIC_ROWS } from './rows/public-rows.js';
import { NEWSROOM_ROWS } from './rows/newsroom-rows.js';
import { WEBHOOK_ROWS } from './rows/webhook-rows.js';
import { OPEN, type ParameterKind, type Outcomes, type Row } from './row.js';
import { DECLARED_ROUTES, type DeclaredRoute } from './router.js';

export const ROWS: readonly Row[] = [
  ...ACCOUNT_ROWS,
  ...LINK_ROWS,
  ...FACTOR_ROWS,
  ...MEDIA_ROWS,
  ...NOTICE_ROWS,
  ...OIDC_ROWS,
  ...ADMIN_ROWS,
  ...EDITORIAL_ROWS,
  ...PUBLIC_ROWS,
  ...NEWSROOM_ROWS,
  ...WEBHOOK_ROWS,
];

/** A row with the defaults of everything that it leaves out. */
export interface Route extends Row {
  readonly method: string;
  readonly path: string;
  readonly parameter: ParameterKind;
  readonly outcomes: Outcomes;
  /** The collections that a successful request writes to. */
  readonly writes: readonly string[];
}

/** A route of the API, with the options of its `@Endpoint`. */
export type ApiRoute = Route & Pick<DeclaredRoute, 'endpoint'>;

/** The statuses of a route by kind of parameter; a route without a parameter has the kind `nothing`. */
const WITHOUT_PARAMETER: Outcomes = { nothing: 200 };

function completed(row: Row): Route {
  const {
    parameter = 'nothing',
    outcomes = WITHOUT_PARAMETER,
    effects = [],
    alsoWrites = [],
  } = row;
  const [method = '', path = ''] = row.route.split(' ');
  const written = effects.map((effect) => effect.split(/[ :]/)[1] ?? '');
  return {
    ...row,
    parameter,
    outcomes,
    method,
    path,
    writes: [...new Set([...written, ...alsoWrites])],
  };
}

/**
 * Every route of the controllers with its row; HEAD runs the handler of GET and is not among them.
 *
 * @throws Error for a route without a row, as soon as this file is imported
 */
export const API_ROUTES: readonly ApiRoute[] = DECLARED_ROUTES.map(({ route, endpoint }) => {
  const row = ROWS.find((candidate) => candidate.route === route);
  if (!row) throw new Error(`${route} needs a row in test/routes/rows`);
  return { ...completed(row), endpoint };
});

/** The routes that servers without a provider of OpenID Connect have. */
export const SERVED_ROUTES = API_ROUTES.filter(({ outcomes }) => outcomes.nothing !== 404);

export const WRITE_ROUTES = SERVED_ROUTES.filter(({ method }) => method !== 'GET');

const openGet = (path: string): Route => completed({ route: `GET ${path}`, access: OPEN });

/** Served with DOCS=on only. */
export const DOCS_ROUTES: readonly Route[] = [
  '/openapi.json',
  '/docs',
  '/docs/docs.css',
  '/docs/docs.js',
  '/docs/readable.js',
  '/docs/swagger-ui.css',
  '/docs/swagger-ui-bundle.js',
].map(openGet);

/** Not served in production. */
export const START_ROUTES: readonly Route[] = ['/', '/assets/start.css', '/assets/start.js'].map(
  openGet,
);

/** Served where mail can be sent, unless the site has a page of its own for accounts. */
const ACCOUNT_ROUTES: readonly Route[] = [
  '/account',
  '/assets/account.css',
  '/assets/account.js',
  '/assets/account-words.js',
  '/assets/account.json',
].map(openGet);

/** All routes of pages: those above, and the files that both kinds of pages use. */
export const PAGE_ROUTES: readonly Route[] = [
  ...DOCS_ROUTES,
  ...START_ROUTES,
  ...ACCOUNT_ROUTES,
  ...['/assets/page.css', '/assets/theme.js', '/assets/session.js'].map(openGet),
  ...['/assets/favicon-32x32.png', '/assets/server.json'].map(openGet),
  completed({ route: 'POST /assets/local.json', access: OPEN }),
];

/** CORS preflights; not served without CORS_ORIGINS. */
export const PREFLIGHT_ROUTE: Route = completed({
  route: 'OPTIONS *',
  access: OPEN,
  outcomes: { nothing: 204 },
});

/** Adds the HEAD of every GET. */
export function withHead<Some extends Route>(routes: readonly Some[]): Some[] {
  return routes.flatMap((route) =>
    route.method === 'GET'
      ? [route, { ...route, method: 'HEAD', route: `HEAD ${route.path}` }]
      : [route],
  );
}

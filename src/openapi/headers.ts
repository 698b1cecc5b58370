import { SCOPE_NAMES } from '../platform/http/access/key-scopes/key-scope.js';
import { EXPOSED } from '../platform/http/headers/common-headers.js';

/** The components that describe the headers of responses. */
export const HEADERS = {
  RequestId: {
    description: "The caller's x-request-id if it is acceptable, else a new one",
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
    example: '66f1a2b3-c4d5-4e6f-8071-92a3b4c5d6e7',
  },
  NoSniff: { schema: { type: 'string', enum: ['nosniff'] }, example: 'nosniff' },
  CacheControl: {
    description:
      'On successful public reads, except previews: no-cache, or with PUBLIC_CACHE how long a shared ' +
      'cache may keep them. On all other responses: no-store',
    schema: { type: 'string' },
    example: 'no-store',
  },
  AllowOrigin: {
    description: 'Sent to origins that CORS_ORIGINS allows: * or the origin of the request',
    schema: { type: 'string' },
    example: '*',
  },
  ExposeHeaders: {
    description: 'The headers that a script of another origin may read',
    schema: { type: 'string' },
    example: EXPOSED,
  },
  Vary: {
    description: 'Origin where CORS_ORIGINS is a list, Accept-Encoding on public reads',
    schema: { type: 'string' },
    example: 'Accept-Encoding',
  },
  Revision: {
    description: 'Revision of the record, for If-Match',
    schema: { type: 'string', pattern: '^"\\d+"$' },
    example: '"3"',
  },
  EntityTag: {
    description: 'Identifies the bytes of this body, for If-None-Match',
    schema: { type: 'string', pattern: '^"[A-Za-z0-9_-]+"$' },
    example: '"Tm90ZXMgb24gdGhlIEVuZ2luZQ"',
  },
  WeakTag: {
    description: 'Identifies the picture in this size, for If-None-Match',
    schema: { type: 'string', pattern: '^W/"[0-9a-f-]+"$' },
    example: 'W/"6949-19a1b2c3d4e"',
  },
  LastModified: {
    description: 'When the picture was uploaded',
    schema: { type: 'string' },
    example: 'Sat, 31 Jan 2026 08:15:30 GMT',
  },
  AcceptRanges: { schema: { type: 'string', enum: ['bytes'] }, example: 'bytes' },
  ContentDisposition: {
    description: 'The name under which a browser stores it',
    schema: { type: 'string' },
    example: 'inline; filename="engine-640.webp"',
  },
  PicturePolicy: {
    description: 'Keeps a browser from running anything',
    schema: { type: 'string' },
    example: "default-src 'none'; sandbox",
  },
  PictureOrigins: {
    description: 'Pages of every origin may show it',
    schema: { type: 'string', enum: ['cross-origin'] },
    example: 'cross-origin',
  },
  Location: {
    description: 'The present path, relative to the path of the request',
    schema: { type: 'string' },
    example: 'notes-on-the-engine',
  },
  CacheTag: {
    description:
      'With PUBLIC_CACHE: the tags by which a CDN purges this answer; events list the same tags',
    schema: { type: 'string' },
    example: 'blog-66f1a2b3c4d5e6f708192a3b,author-66f1a2b3c4d5e6f708192a3c',
  },
  CdnCacheControl: {
    description: 'With PUBLIC_CACHE_STALE: how long a CDN may use a stale copy (RFC 9213)',
    schema: { type: 'string' },
    example: 'max-age=600, stale-while-revalidate=3600, stale-if-error=3600',
  },
  ContentEncoding: {
    description:
      'How a cached response is compressed, if the request accepts that; absent if it is not compressed',
    schema: { type: 'string', enum: ['br', 'gzip'] },
    example: 'br',
  },
  NoIndex: {
    description: 'Tells search engines to keep the answer out of their index',
    schema: { type: 'string', enum: ['noindex'] },
    example: 'noindex',
  },
  NextPage: {
    description: 'The next page, as a URL relative to this one; absent on the last page',
    schema: {
      type: 'string',
      pattern: '^<\\?(?:[^<>&]+&)*limit=\\d+&cursor=[A-Za-z0-9_-]+>; rel="next"$',
    },
    example: '<?limit=10&cursor=eyJ2IjoxfQ>; rel="next"',
  },
  TotalCount: {
    description: 'Number of items on all pages; only with `total=true`',
    schema: { type: 'integer', minimum: 0 },
    example: 233,
  },
  RetryAfter: {
    description: 'Seconds to wait before the request is repeated',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  SignInCookie: {
    description: 'Binds the sign-in to the browser, for ten minutes',
    schema: { type: 'string' },
    example: '__Host-pressroom-oidc=…; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure',
  },
  AllowCredentials: {
    description: 'Sent if CORS_ORIGINS lists origins',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  ReturnUrl: {
    description: 'The `returnUrl` of the sign-in, with its result in the fragment',
    schema: { type: 'string', format: 'uri' },
    example: 'https://www.example.org/signed-in#oidcCode=3mQ9v0cXw2R7kF1tYb5nLz8s',
  },
  NoReferrer: {
    description: 'Keeps the query of this address from the next page',
    schema: { type: 'string', enum: ['no-referrer'] },
    example: 'no-referrer',
  },
  Unbuffered: {
    description: 'Tells a proxy such as nginx to pass the answer on as it comes',
    schema: { type: 'string', enum: ['no'] },
    example: 'no',
  },
  KeyScopes: {
    description: 'The scopes of the API key; all of them for a key without restriction',
    schema: { type: 'string', pattern: `^(?:${SCOPE_NAMES.join('|')}|,)*$` },
    example: 'read,search',
  },
  Instruction: {
    description:
      'refresh_token if the access token has expired: a refresh returns a new access token',
    schema: { type: 'string', enum: ['refresh_token'] },
    example: 'refresh_token',
  },
} as const;

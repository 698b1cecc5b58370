import { OF_WEBHOOKS } from '../outcomes.js';
import { ADMIN, audited, PAGE, type Row } from '../row.js';

/** Nobody has this name (RFC 6761), so no test calls anybody. */
const REFUSED_URL = 'https://hooks.invalid/hook';

/** The paths of the fields of a sealed secret. */
const sealed = (path: string): string[] =>
  ['data', 'iv', 'kid', 'tag'].map((part) => `${path}.${part}`);
const SECRET = sealed('secret');

const HOOK = { access: ADMIN, ...OF_WEBHOOKS } as const;

export const WEBHOOK_ROWS: readonly Row[] = [
  {
    route: 'POST /admin/webhooks',
    access: ADMIN,
    body: {
      url: [REFUSED_URL],
      events: [['*'], ['blog.published', 'author.renamed']],
      enabled: [undefined, false],
    },
    effects: [
      audited(),
      `insert webhooks: _id, createdAt, enabled, events, ${SECRET.join(', ')}, seq, updatedAt, url`,
    ],
  },
  { route: 'GET /admin/webhooks', access: ADMIN },
  { route: 'GET /admin/webhooks/id/:id', ...HOOK },
  {
    route: 'PUT /admin/webhooks/id/:id',
    ...HOOK,
    body: {
      url: ['https://hooks.invalid/other', undefined],
      events: [['blog.deleted'], undefined],
      enabled: [false, true, undefined],
    },
    effects: [audited(), 'update webhooks: enabled, events, updatedAt, url'],
  },
  { route: 'DELETE /admin/webhooks/id/:id', ...HOOK, effects: ['delete webhooks', audited()] },
  {
    route: 'POST /admin/webhooks/id/:id/rotate',
    ...HOOK,
    effects: [
      audited(),
      // `secret.kid` stays the same, because the same signing key seals the new secret.
      `update webhooks: ${[
        ...sealed('former.secret'),
        'former.until',
        'updatedAt',
        ...SECRET.filter((path) => path !== 'secret.kid'),
      ]
        .sort()
        .join(', ')}`,
    ],
  },
  { route: 'POST /admin/webhooks/id/:id/test', ...HOOK, effects: [] },
  {
    route: 'POST /admin/webhooks/id/:id/replay',
    ...HOOK,
    body: { since: ['2090-01-01T00:00:00Z'], event: [undefined] },
    effects: [],
  },
  { route: 'GET /admin/webhooks/id/:id/deliveries', ...HOOK, query: PAGE },
];

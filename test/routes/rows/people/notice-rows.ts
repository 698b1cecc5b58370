import { newNotice } from '../../targets/notice-targets.js';
import { ACCOUNT, openedBy, type Row } from '../../row.js';

const WAYS = [['desk', 'digest'], [], undefined];
const KINDS = ['commented', 'handedOver', 'invited', 'mentioned', 'published', 'returned'];
const ALL_KINDS = [...KINDS, 'scheduleFailed', 'submitted'];

const DESK = openedBy(ACCOUNT, 'desk');

/** What has happened that concerns the caller. */
export const NOTICE_ROWS: readonly Row[] = [
  {
    route: 'GET /notices',
    access: DESK,
    query: {
      unread: [undefined, 'true', 'false'],
      cursor: [undefined, '41'],
      limit: [undefined, '5'],
    },
  },
  {
    route: 'PUT /notices/read',
    access: DESK,
    body: { seqs: [undefined, [41, 42]] },
    targets: [newNotice],
    effects: ['update notices: unread'],
  },
  { route: 'GET /notices/stream', access: DESK, query: { seconds: ['1'] } },
  { route: 'GET /profile/notices', access: ACCOUNT },
  {
    route: 'PUT /profile/notices',
    access: ACCOUNT,
    body: Object.fromEntries(ALL_KINDS.map((kind) => [kind, WAYS])),
    needsNewCaller: true,
    effects: [
      `update users: ${ALL_KINDS.map((kind) => `noticeWays.${kind}`).join(', ')}, updatedAt`,
    ],
  },
];

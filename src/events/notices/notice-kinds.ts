/**
 * How somebody hears of a kind of notice: in the desk, by a mail at once, or in the digest of the day. What comes by
 * a mail is not in the digest as well.
 */
export const NOTICE_WAYS = ['desk', 'mail', 'digest'] as const;

export type NoticeWay = (typeof NOTICE_WAYS)[number];

interface NoticeKindRow {
  /** What docs and the API say of the kind: what has happened, and who is told. */
  readonly meaning: string;
  /** The ways of those who have chosen none. */
  readonly ways: readonly NoticeWay[];
  /** Whether it is about a comment, which editors may also read while the blog is a draft again. */
  readonly isOfComment?: true;
}

const ROWS = {
  submitted: {
    meaning: 'an article waits for review: to its assigned editor, else to all editors',
    ways: ['desk', 'digest'],
  },
  returned: { meaning: 'an editor has returned your article', ways: ['desk', 'mail'] },
  commented: {
    meaning: 'a comment on an article that you wrote, are assigned to or have commented on',
    ways: ['desk', 'digest'],
    isOfComment: true,
  },
  mentioned: { meaning: 'a comment mentions you', ways: ['desk', 'mail'], isOfComment: true },
  published: { meaning: 'your article is live', ways: ['desk'] },
  scheduleFailed: {
    meaning:
      'what was scheduled for an article was given up or cleared: to its author, and to its assigned editor, ' +
      'else to all editors',
    ways: ['desk', 'mail'],
  },
  handedOver: { meaning: 'an admin has made an article yours', ways: ['desk', 'digest'] },
  invited: {
    meaning: 'an admin has invited you, who have an account; the invitation is a mail of its own',
    ways: ['desk'],
  },
} as const satisfies Record<string, NoticeKindRow>;

export type NoticeKind = keyof typeof ROWS;

/** Every kind of notice. docs/people.md lists them. */
export const NOTICE_KINDS: Readonly<Record<NoticeKind, NoticeKindRow>> = ROWS;

export const NOTICE_KIND_NAMES = Object.keys(ROWS) as readonly NoticeKind[];

/** The ways that somebody has chosen, by kind. */
export type NoticeWays = Readonly<Partial<Record<NoticeKind, readonly NoticeWay[]>>>;

/** Whether somebody with these choices hears of the kind by this way. */
export function hears(chosen: NoticeWays, kind: NoticeKind, way: NoticeWay): boolean {
  const ways = chosen[kind] ?? NOTICE_KINDS[kind].ways;
  return ways.includes(way) && (way !== 'digest' || !ways.includes('mail'));
}

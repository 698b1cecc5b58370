/**
 * Descriptions of the fields of bodies and answers, by the name of the field, for names that mean the
 * same in all schemas. A key that begins with the name of a schema applies to that schema only.
 */
export const FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  _id: 'The id: 24 hexadecimal digits',
  alt: 'What the picture shows, for those who do not see it',
  at: 'When it happened',
  author: 'Who wrote it',
  by: 'Who did it',
  bytes: 'The bytes of the pictures',
  caption: 'What stands below the picture',
  comment: 'What the key is for',
  count: 'How many there are',
  createdAt: 'When it was created',
  cover: 'The picture of which `imgUrl` is one size',
  credit: 'Who made the picture',
  data: 'What the event is about',
  deliveries: 'How many calls will be made',
  description: 'What it is about, in a few sentences of plain text',
  disabledAt: 'When it was switched off',
  drafted: 'Whether it has edits that are not submitted',
  drafts: 'Drafts, and live blogs with unsubmitted edits',
  durationMs: 'How long it took, in milliseconds',
  email: 'The email address with which the user signs in',
  enabled: 'Whether it may be used',
  events: 'The types of events that are wanted, or * for all',
  expiresAt: 'When it stops working',
  field: 'The field that differs',
  height: 'The height in pixels',
  highlights: 'Where the words were found',
  imgUrl: 'The http or https URL of an image',
  kind: '`same`: the words are in both texts; `removed`: in the older only; `added`: in the newer only',
  lastUsedAt: 'When a request was last made with it',
  level: 'The level of the heading, from 1, the highest, to 6',
  move: 'The transition',
  msg: 'The text of the message',
  name: 'The name that others see',
  note: 'What to change, in the words of the editor',
  profilePicUrl: 'The http or https URL of a picture of the person',
  picture: 'The picture of the person, if it is one of the media library',
  pictures: 'How many pictures',
  pinned: 'Whether it is kept although nothing uses it',
  published: 'Whether it is live',
  resolved: 'Whether the comment is settled',
  roles: 'What the user may do',
  scheduled: 'Blogs that have a schedule',
  scopes: 'Which routes the key opens',
  secret: 'The key of the signatures, which only this answer shows',
  slug: 'The readable part of its URL',
  srcset: 'The addresses of all sizes, as an `img` takes them',
  start: 'Where it starts, in UTF-16 code units',
  state:
    'Whether the webhook has received the event: `delivered`; `waiting` for the next call; or `given up` ' +
    'after three days of failures',
  status: 'The status of the service',
  submitted: 'Whether it is in review',
  tags: 'What it is about, in single words',
  title: 'The title, as plain text',
  tokens: 'The tokens for later requests',
  trash: 'Deleted blogs that can be restored',
  type: 'The type of the event',
  unused: 'How many of them nothing uses',
  updatedAt: 'When its contents or its state were last changed',
  url: 'The URL that is called',
  user: 'The account',
  width: 'The width in pixels',
  'AuthorCountsView.published': 'Live blogs',
  'AuthorCountsView.submitted': 'Blogs in review',
  'CoverView.url': 'The address of the picture',
  'EditorCountsView.published': 'Live blogs',
  'EditorCountsView.submitted': 'Blogs in review',
  'PictureSourceView.type': 'The media type',
  'MediaView.name': 'The name of the file',
  'MediaView.url': 'The address of the picture',
  'MessageView.type': 'The kind of message, in the words of the sender',
  'SendMessageDto.type': 'The kind of message, in your words',
  'SetStatusDto.enabled': 'Whether the account may sign in',
  'AdminUserView.enabled': 'Whether the account may sign in',
};

/** Descriptions of parameters of paths and queries. */
const PARAMETER_DESCRIPTIONS: Readonly<Record<string, string>> = {
  comment: 'The `_id` of the comment',
  from: 'The number of the older revision',
  limit: 'How many items a page has',
  page: 'Which page, from 1',
  rev: 'The number of the revision',
  role: 'Only accounts with this role',
  seconds: 'After how many seconds the stream ends, if the session does not end before',
  slug: 'The slug, in any case',
  state: 'Only mails in this state',
  tag: 'The tag, in any case',
  to: 'The number of the newer revision',
  token: 'The token of the preview',
};

/**
 * Whose `_id` a path contains; the first pattern that matches decides. Other paths contain the `_id`
 * of a blog.
 */
const IDS: readonly (readonly [path: RegExp, whose: string])[] = [
  [/^\/media\//, 'picture'],
  [/^\/(profile|admin\/users)\//, 'user'],
  [/^\/(authors|blogs\/author)\//, 'author'],
  [/^\/admin\/apikeys\//, 'API key'],
  [/^\/admin\/webhooks\//, 'webhook'],
  [/^\/admin\/jobs\//, 'job'],
  [/^\/admin\/invitations\//, 'invitation'],
  [/^\/auth\/sessions\//, 'session'],
  [/^\/auth\/factors\//, 'second factor'],
  [/^\/auth\/tokens\//, 'token'],
];

/** @returns undefined for a parameter that must have a description of its own */
export function parameterDescription(name: string, path: string): string | undefined {
  if (name !== 'id') return PARAMETER_DESCRIPTIONS[name];
  const [, whose = 'blog'] = IDS.find(([pattern]) => pattern.test(path)) ?? [];
  return `The \`_id\` of the ${whose}`;
}

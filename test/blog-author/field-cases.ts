/** The bounds of contract section 5, one case a line; create and update hold the same ones. */

export interface AcceptedCase {
  readonly field: string;
  readonly what: string;
  readonly value: unknown;
  /** What is stored and answered, when it is not the value as sent. */
  readonly stored?: unknown;
}

export interface RefusedCase {
  readonly field: string;
  readonly what: string;
  readonly value: unknown;
  /** `field: message without the field` of every error, in order. */
  readonly errors: readonly string[];
}

/** One code point, two code units. */
const ASTRAL = '\u{1D49C}';
const IMAGE = 'https://example.org/';

/** Text that some layer might take for something else than text. */
const ODD_TEXTS = [
  '$draftText',
  '$$ROOT',
  '$$REMOVE',
  '$live.title',
  '{"$gt":""}',
  '{"$literal":"x"}',
  '<script>alert(1)</script>',
  '__proto__',
  'a\u200db',
];

/** Short enough for a title. */
const shown = (value: unknown): string => JSON.stringify(value).slice(0, 40);

const texts = (field: string, min: number, max: number): AcceptedCase[] => [
  { field, what: `${min} characters`, value: 'x'.repeat(min) },
  { field, what: `${max} characters`, value: 'x'.repeat(max) },
  { field, what: `${max} characters of two code units`, value: ASTRAL.repeat(max) },
  { field, what: 'blanks around', value: ` \n${'x'.repeat(max)}\t `, stored: 'x'.repeat(max) },
  ...ODD_TEXTS.map((value) => ({ field, what: `the text ${value}`, value })),
];

export const ACCEPTED: readonly AcceptedCase[] = [
  ...texts('title', 3, 500),
  ...texts('description', 3, 2_000),
  { field: 'draftText', what: 'one character', value: 'x' },
  { field: 'draftText', what: '100,000 characters', value: 'x'.repeat(100_000) },
  { field: 'draftText', what: '100,000 of two code units', value: ASTRAL.repeat(100_000) },
  {
    field: 'draftText',
    what: 'what is too long only before cleaning',
    value: `<script>${'x'.repeat(50_000)}</script>${'y'.repeat(100_000)}`,
    stored: 'y'.repeat(100_000),
  },
  { field: 'draftText', what: 'the text $title', value: '$title' },
  { field: 'draftText', what: 'the text $$ROOT', value: '$$ROOT' },
  { field: 'draftText', what: 'blanks around, kept', value: ' <p>x</p> ' },
  { field: 'imgUrl', what: 'http', value: 'http://example.org/a.png' },
  { field: 'imgUrl', what: 'a port and a query', value: 'https://localhost:8080/a?b=c#d' },
  { field: 'imgUrl', what: '500 characters', value: IMAGE + 'x'.repeat(500 - IMAGE.length) },
  { field: 'imgUrl', what: 'blanks around', value: ` ${IMAGE}a.png `, stored: `${IMAGE}a.png` },
  { field: 'imgUrl', what: 'null', value: null, stored: undefined },
  { field: 'tags', what: 'no tag', value: [] },
  { field: 'tags', what: '20 tags', value: Array.from({ length: 20 }, (_, n) => `tag ${n}`) },
  { field: 'tags', what: 'tags of 1 and 50 characters', value: ['x', 'y'.repeat(50)] },
  { field: 'tags', what: '50 characters of two code units', value: [ASTRAL.repeat(50)] },
  {
    field: 'tags',
    what: 'blanks around',
    value: [` ${'y'.repeat(50)} `],
    stored: ['y'.repeat(50)],
  },
  {
    field: 'tags',
    what: 'duplicates in another case, of which the first stays as written',
    value: ['Node.js', 'TypeScript', 'NODE.JS', ' typescript', 'node.js'],
    stored: ['Node.js', 'TypeScript'],
  },
  { field: 'tags', what: 'odd tags', value: ODD_TEXTS },
];

const refusedTexts = (field: string, bounds: string): RefusedCase[] => [
  { field, what: 'null', value: null, errors: [`${field}: is missing`] },
  ...[5, true, ['text'], { $gt: '' }, { toString: 'x' }].map((value) => ({
    field,
    what: shown(value),
    value,
    errors: [`${field}: must be text`],
  })),
  { field, what: 'an empty text', value: '', errors: [`${field}: must be ${bounds} characters`] },
  {
    field,
    what: 'a NUL character',
    value: 'text\0text',
    errors: [`${field}: must not contain NUL characters`],
  },
  {
    field,
    what: 'half a surrogate pair',
    value: 'text\ud800',
    errors: [`${field}: must not contain unpaired surrogates`],
  },
];

const tooShortOrLong = (field: string, min: number, max: number): RefusedCase[] =>
  [
    ['too short', 'x'.repeat(min - 1)],
    ['too short once trimmed', `  ${'x'.repeat(min - 1)} `],
    ['only blanks', ' '.repeat(min)],
    ['too short in code points', ASTRAL.repeat(min - 1)],
    ['too long', 'x'.repeat(max + 1)],
    ['too long in code points', ASTRAL.repeat(max + 1)],
  ].map(([what = '', value]) => ({
    field,
    what,
    value,
    errors: [`${field}: must be ${min} to ${max} characters`],
  }));

const CLEANED = 'draftText: must be 1 to 100000 characters after cleaning';
const URL = 'imgUrl: must be an http or https URL of at most 500 characters';
const SLUG = 'slug: must have 1 to 200 characters and at least one letter, digit or one of -_~';
const TAG = 'must be 1 to 50 characters';

export const REFUSED: readonly RefusedCase[] = [
  ...refusedTexts('title', '3 to 500'),
  ...tooShortOrLong('title', 3, 500),
  ...refusedTexts('description', '3 to 2000'),
  ...tooShortOrLong('description', 3, 2_000),
  ...refusedTexts('draftText', '1 to 1048576'),
  ...[
    ['only a script', '<script>alert(1)</script>'],
    ['only an empty style', '<style></style>'],
    ['100,001 characters', 'x'.repeat(100_001)],
    ['100,001 of two code units', ASTRAL.repeat(100_001)],
    ['what is too long only once escaped', '&'.repeat(20_001)],
  ].map(([what = '', value]) => ({ field: 'draftText', what, value, errors: [CLEANED] })),
  ...[
    '',
    'text',
    '/a.png',
    '//example.org/a.png',
    'ftp://example.org/a.png',
    'javascript:alert(1)',
    'data:image/png;base64,AA==',
    'https://',
    'https://example.org/a b.png',
    'https://example.org/\0',
    IMAGE + 'x'.repeat(501 - IMAGE.length),
    5,
    [IMAGE],
    { $gt: '' },
  ].map((value) => ({ field: 'imgUrl', what: shown(value), value, errors: [URL] })),
  ...[null, 'text', 5, { 0: 'text' }].map((value) => ({
    field: 'tags',
    what: shown(value),
    value,
    errors: ['tags: must be a list of texts'],
  })),
  {
    field: 'tags',
    what: '21 tags',
    value: Array.from({ length: 21 }, (_, n) => `tag ${n}`),
    errors: ['tags: must have at most 20 items'],
  },
  {
    field: 'tags',
    what: 'bad tags between good ones',
    value: ['', 'good', '   ', 'x'.repeat(51), 5, null, ['x'], { $gt: '' }, 'a\0b'],
    errors: [
      `tags.0: ${TAG}`,
      `tags.2: ${TAG}`,
      `tags.3: ${TAG}`,
      'tags.4: must be text',
      'tags.5: is missing',
      'tags.6: must be text',
      'tags.7: must be text',
      'tags.8: must not contain NUL characters',
    ],
  },
  ...[
    '',
    '   ',
    '.',
    '..',
    '!?',
    '---',
    '\u200d',
    'x'.repeat(201),
    null,
    5,
    ['x'],
    { $gt: '' },
  ].map((value) => ({ field: 'slug', what: shown(value), value, errors: [SLUG] })),
];

/** The whole answer to a body with these errors. */
export function refusal(errors: readonly string[]): object {
  const all = errors.map((error) => {
    const [field = ''] = error.split(': ');
    return { field, message: error.replace(': ', ' ') };
  });
  return {
    code: '10001',
    status: 422,
    message: `validation error: ${all.map(({ message }) => message).join(', ')}`,
    errors: all,
  };
}

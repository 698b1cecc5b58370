import type { BlogFieldName } from '../../../src/blog/core/blog-fields.js';

export interface AcceptedCase {
  readonly field: BlogFieldName;
  readonly label: string;
  readonly value: unknown;
  /** What is stored and answered, when it is not the value as sent. */
  readonly stored?: unknown;
}

export interface RefusedCase {
  readonly field: BlogFieldName;
  readonly label: string;
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

type Accepted = Omit<AcceptedCase, 'field'>;
type Refused = Omit<RefusedCase, 'field'>;

const texts = (min: number, max: number): Accepted[] => [
  { label: `${min} characters`, value: 'x'.repeat(min) },
  { label: `${max} characters`, value: 'x'.repeat(max) },
  { label: `${max} characters of two code units`, value: ASTRAL.repeat(max) },
  { label: 'blanks around', value: ` \n${'x'.repeat(max)}\t `, stored: 'x'.repeat(max) },
  ...ODD_TEXTS.map((value) => ({ label: `the text ${value}`, value })),
];

const noText = (field: string): Refused[] => [
  ...[5, true, ['text'], { $gt: '' }, { toString: 'x' }].map((value) => ({
    label: shown(value),
    value,
    errors: [`${field}: must be text`],
  })),
  {
    label: 'a NUL character',
    value: 'text\0text',
    errors: [`${field}: must not contain NUL characters`],
  },
  {
    label: 'half a surrogate pair',
    value: 'text\ud800',
    errors: [`${field}: must not contain unpaired surrogates`],
  },
];

const missing = (field: string): Refused => ({
  label: 'null',
  value: null,
  errors: [`${field}: is missing`],
});

const outOfBounds = (field: string, min: number, max: number): Refused[] =>
  [
    ['an empty text', ''],
    ['too short', 'x'.repeat(min - 1)],
    ['too short once trimmed', `  ${'x'.repeat(min - 1)} `],
    ['only blanks', ' '.repeat(min)],
    ['too short in code points', ASTRAL.repeat(min - 1)],
    ['too long', 'x'.repeat(max + 1)],
    ['too long in code points', ASTRAL.repeat(max + 1)],
  ].map(([label = '', value]) => ({
    label,
    value,
    errors: [`${field}: must be ${min} to ${max} characters`],
  }));

const CLEANED = 'draftText: must be 1 to 100000 characters after cleaning';
const URL = 'imgUrl: must be an http or https URL of at most 500 characters';
const SLUG = 'slug: must have 1 to 200 characters and at least one letter, digit or one of -_~';
const TAG = 'must be 1 to 50 characters';

interface Cases {
  readonly accepted: readonly Accepted[];
  readonly refused: readonly Refused[];
}

/** What each field takes and what it refuses. A new blog and an edit have the same bounds. */
const CASES: Readonly<Record<BlogFieldName, Cases>> = {
  title: {
    accepted: texts(3, 500),
    refused: [missing('title'), ...noText('title'), ...outOfBounds('title', 3, 500)],
  },
  description: {
    accepted: texts(3, 2_000),
    refused: [
      missing('description'),
      ...noText('description'),
      ...outOfBounds('description', 3, 2_000),
    ],
  },
  draftText: {
    accepted: [
      { label: 'one character', value: 'x' },
      { label: '100,000 characters', value: 'x'.repeat(100_000) },
      { label: '100,000 of two code units', value: ASTRAL.repeat(100_000) },
      {
        label: 'what is too long only before cleaning',
        value: `<script>${'x'.repeat(50_000)}</script>${'y'.repeat(100_000)}`,
        stored: 'y'.repeat(100_000),
      },
      { label: 'the text $title', value: '$title' },
      { label: 'the text $$ROOT', value: '$$ROOT' },
      { label: 'blanks around, kept', value: ' <p>x</p> ' },
    ],
    refused: [
      missing('draftText'),
      ...noText('draftText'),
      {
        label: 'an empty text',
        value: '',
        errors: ['draftText: must be 1 to 1048576 characters'],
      },
      ...[
        ['only a script', '<script>alert(1)</script>'],
        ['only an empty style', '<style></style>'],
        ['100,001 characters', 'x'.repeat(100_001)],
        ['100,001 of two code units', ASTRAL.repeat(100_001)],
        ['what is too long only once escaped', '&'.repeat(20_001)],
      ].map(([label = '', value]) => ({ label, value, errors: [CLEANED] })),
    ],
  },
  imgUrl: {
    accepted: [
      { label: 'http', value: 'http://example.org/a.png' },
      { label: 'a port and a query', value: 'https://localhost:8080/a?b=c#d' },
      { label: '500 characters', value: IMAGE + 'x'.repeat(500 - IMAGE.length) },
      { label: 'blanks around', value: ` ${IMAGE}a.png `, stored: `${IMAGE}a.png` },
      { label: 'null', value: null, stored: undefined },
    ],
    refused: [
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
    ].map((value) => ({ label: shown(value), value, errors: [URL] })),
  },
  tags: {
    accepted: [
      { label: 'no tag', value: [] },
      { label: '20 tags', value: Array.from({ length: 20 }, (_, n) => `tag ${n}`) },
      { label: 'tags of 1 and 50 characters', value: ['x', 'y'.repeat(50)] },
      { label: '50 characters of two code units', value: [ASTRAL.repeat(50)] },
      { label: 'blanks around', value: [` ${'y'.repeat(50)} `], stored: ['y'.repeat(50)] },
      {
        label: 'duplicates in another case, of which the first stays as written',
        value: ['Node.js', 'TypeScript', 'NODE.JS', ' typescript', 'node.js'],
        stored: ['Node.js', 'TypeScript'],
      },
      { label: 'odd tags', value: ODD_TEXTS },
    ],
    refused: [
      ...[null, 'text', 5, { 0: 'text' }].map((value) => ({
        label: shown(value),
        value,
        errors: ['tags: must be a list of texts'],
      })),
      {
        label: '21 tags',
        value: Array.from({ length: 21 }, (_, n) => `tag ${n}`),
        errors: ['tags: must have at most 20 items'],
      },
      {
        label: 'bad tags between good ones',
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
    ],
  },
  slug: {
    // test/blog/core/slugs.e2e-spec.ts has what is accepted, with its normal form.
    accepted: [],
    refused: [
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
    ].map((value) => ({ label: shown(value), value, errors: [SLUG] })),
  },
};

const FIELDS = Object.entries(CASES) as [BlogFieldName, Cases][];

export const ACCEPTED: readonly AcceptedCase[] = FIELDS.flatMap(([field, { accepted }]) =>
  accepted.map((one) => ({ field, ...one })),
);

export const REFUSED: readonly RefusedCase[] = FIELDS.flatMap(([field, { refused }]) =>
  refused.map((one) => ({ field, ...one })),
);

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
    reason: 'validation_failed',
    errors: all,
  };
}

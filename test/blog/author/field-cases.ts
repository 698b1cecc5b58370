import type { BlogFieldName } from '../../../src/blog/core/blog-fields.js';
import {
  badCharacters,
  badFields,
  badTexts,
  badUrls,
  NOT_TEXT,
  urlOfLength,
  type BadField,
} from '../../support/checks/bad-bodies.js';

interface AcceptedCase {
  readonly field: BlogFieldName;
  readonly label: string;
  readonly value: unknown;
  /** The stored and returned value, if it differs from the value as sent. */
  readonly stored?: unknown;
}

/** An astral character: one code point, two UTF-16 code units. */
const ASTRAL = '\u{1D49C}';

const tags = (count: number): string[] => Array.from({ length: count }, (_, n) => `tag ${n}`);

/** Values that each field accepts. write.e2e-spec.ts has the slugs, which are stored in a normal form. */
export const ACCEPTED: readonly AcceptedCase[] = [
  { field: 'title', label: 'one character', value: '春' },
  {
    field: 'title',
    label: 'tabs and line breaks, which become one blank,',
    value: 'a\t\r\n b\u2028c',
    stored: 'a b c',
  },
  { field: 'title', label: 'joiners and emoji', value: 'می\u200cخواهم 👩\u200d💻 ❤\ufe0f' },
  {
    field: 'title',
    label: '500 characters between blanks',
    value: ` \n${'x'.repeat(500)}\t `,
    stored: 'x'.repeat(500),
  },
  { field: 'description', label: 'one character', value: 'x' },
  {
    field: 'description',
    label: 'line breaks, which become one blank,',
    value: 'a\n\nb',
    stored: 'a b',
  },
  {
    field: 'description',
    label: '2,000 astral characters between blanks',
    value: ` \n${ASTRAL.repeat(2_000)}\t `,
    stored: ASTRAL.repeat(2_000),
  },
  { field: 'draftText', label: 'one character', value: 'x' },
  { field: 'draftText', label: 'a picture alone', value: '<img src="https://a.example/b.png" />' },
  { field: 'draftText', label: '100,000 astral characters', value: ASTRAL.repeat(100_000) },
  {
    field: 'draftText',
    label: 'a text that is too long only before cleaning',
    value: `<script>${'x'.repeat(50_000)}</script>${'y'.repeat(100_000)}`,
    stored: 'y'.repeat(100_000),
  },
  { field: 'draftText', label: 'a MongoDB variable', value: '$$ROOT' },
  { field: 'draftText', label: 'blanks around a text, which stay,', value: ' <p>x</p> ' },
  { field: 'imgUrl', label: 'a URL with port and query', value: 'http://localhost:8080/a?b=c#d' },
  { field: 'imgUrl', label: '500 characters', value: urlOfLength(500) },
  {
    field: 'imgUrl',
    label: 'a URL with blanks around it',
    value: ' https://example.org/a.png ',
    stored: 'https://example.org/a.png',
  },
  { field: 'imgUrl', label: 'null', value: null, stored: undefined },
  { field: 'tags', label: 'an empty list', value: [] },
  { field: 'tags', label: '20 tags', value: tags(20) },
  {
    field: 'tags',
    label: 'tags of 1 and 50 characters',
    value: ['x', ` ${ASTRAL.repeat(50)} `],
    stored: ['x', ASTRAL.repeat(50)],
  },
  {
    field: 'tags',
    label: 'tags that differ in case only, of which the first is stored,',
    value: ['Node.js', 'TypeScript', 'NODE.JS', ' typescript', 'node.js'],
    stored: ['Node.js', 'TypeScript'],
  },
  {
    field: 'tags',
    label: 'tags that look the same, of which the first is stored,',
    value: [
      'web dev',
      'Web  Dev',
      'web\tdev',
      'w\u200beb dev\u00ad',
      'web\u3000dev',
      '❤\ufe0f',
      '❤',
    ],
    stored: ['web dev', '❤\ufe0f'],
  },
  {
    field: 'tags',
    label: 'tags with characters that show nothing, which are dropped,',
    value: ['a\u200b\ufeffb', '\u200fאב', 'c\n\nd', 'می\u200cخواهم', '...'],
    stored: ['ab', 'אב', 'c d', 'می\u200cخواهم', '...'],
  },
];

const BAD_CLEANED_LENGTH = 'draftText must be 1 to 100000 characters after cleaning';
const BAD_SLUG =
  'slug must have 1 to 200 characters, also in its normal form, and at least one letter, digit, _ or ~';
const OVERRIDE = 'FIELD must not contain characters that turn the order of others (U+202E)';
const DOTS = 'tags.0 must not be one or two dots: no address can name it';

/** Values that each field refuses. A new blog and an edit have the same bounds. */
export const REFUSED: readonly BadField[] = [
  ...badTexts('title', { min: 1, max: 500 }),
  ...badTexts('description', { min: 1, max: 2_000 }),
  ...badFields('draftText', 'draftText is missing', [
    ['null', null],
    ['a missing value', undefined],
  ]),
  ...badFields('draftText', 'draftText must be text', NOT_TEXT),
  ...badFields('draftText', 'draftText must be 1 to 1048576 characters', [['an empty text', '']]),
  ...badFields('draftText', BAD_CLEANED_LENGTH, [
    ['only a script', '<script>alert(1)</script>'],
    ['only an empty style', '<style></style>'],
    ['100,001 astral characters', ASTRAL.repeat(100_001)],
    ['a text that is too long only once escaped', '&'.repeat(20_001)],
  ]),
  ...badFields('draftText', 'draftText must show something: words, a picture or a video', [
    ['an empty paragraph', '<p></p>'],
    ['a paragraph of no-break spaces', '<p>&nbsp;<br></p><p>\u200b</p>'],
  ]),
  ...badFields(
    'draftText',
    'draftText must not contain characters that turn the order of others (U+202E)',
    [
      ['an override', '<p>a\u202eb</p>'],
      ['an override as a reference', '<p>a&#x202E;b</p>'],
    ],
  ),
  ...badUrls('imgUrl'),
  ...badFields('imgUrl', OVERRIDE.replace('FIELD', 'imgUrl'), [
    ['an override', 'https://example.org/\u202egnp.exe'],
  ]),
  ...badFields('slug', OVERRIDE.replace('FIELD', 'slug'), [['an override', 'some\u202eslug']]),
  ...badFields('slug', 'slug must not contain control characters (U+001B)', [
    ['an escape sequence', 'some\u001b[2Jslug'],
  ]),
  ...badFields('tags', 'tags must be a list of texts', [
    ['null', null],
    ['a text', 'text'],
    ['an object', { 0: 'text' }],
  ]),
  ...badFields('tags', 'tags must have at most 20 items', [['21 tags', tags(21)]]),
  ...badFields(
    'tags.0',
    DOTS,
    ['.', '..', '．', '\u2025', '.\u200b', '%2E', '%2e.'].map((tag) => [JSON.stringify(tag), tag]),
  ),
  ...badCharacters('tags.0'),
  ...badFields('slug', BAD_SLUG, [
    ...['', '   ', '..', '!?', '-', '---', '\u200d', '❤\ufe0f', '\u3164', '\u0301'].map(
      (text) => [JSON.stringify(text), text] as const,
    ),
    ['201 characters', 'x'.repeat(201)],
    ['300 characters that become 150', 'e\u0301'.repeat(150)],
    ['null', null],
    ...NOT_TEXT,
  ]),
];

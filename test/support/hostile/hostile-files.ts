import { BASE_FORMATS, type Bases } from './bases.js';
import { BOMBS } from './bombs.js';
import { CLAIMS } from './headers.js';
import { ODD_METADATA } from './metadata.js';
import { OTHER_TYPES } from './other-types.js';
import { POLYGLOTS } from './polyglots.js';
import { Choices } from './random.js';

/** A file that no honest person uploads, under the name that it pretends to have. */
export interface HostileFile {
  /** What is wrong with it, in words. */
  readonly what: string;
  readonly name: string;
  readonly bytes: Buffer;
}

/** Names that pretend another type, or reach for other folders. */
const NAMES = [
  'photo.jpg',
  'photo.png',
  'x.svg',
  'x.html',
  'x.php.gif',
  '../../etc/passwd',
  'a".jpg',
  'x.jpg\0.svg',
  '',
  '.htaccess',
  'CON.png',
  'ﷺ'.repeat(60),
  '1920.webp',
];

/** Claimed widths and heights, each of which is wrong. */
const SIDES = [0, 1, 2, 47, 500, 7_071, 16_383, 20_000, 65_535, 2 ** 24, 2 ** 31 - 1, 2 ** 32 - 1];

const truncated = (bases: Bases, choices: Choices): Buffer => {
  const file = choices.oneOf([...Object.values(bases.still), ...Object.values(bases.moving)]);
  return file.subarray(0, choices.number(1, file.length - 1));
};

const corrupt = (bases: Bases, choices: Choices): Buffer => {
  const chosen = choices.oneOf([...Object.values(bases.still), ...Object.values(bases.moving)]);
  const file = Buffer.from(chosen);
  const changes = choices.number(1, 30);
  for (let each = 0; each < changes; each += 1) {
    file[choices.number(12, file.length - 1)] = choices.number(0, 255);
  }
  return file;
};

type Maker = (bases: Bases, choices: Choices) => Buffer;

const MAKERS: readonly (readonly [string, Maker])[] = [
  ['cut off', truncated],
  ['corrupt', corrupt],
  ...BASE_FORMATS.map((format): readonly [string, Maker] => [
    `a lie about the size of ${format}`,
    ({ still }, choices) =>
      CLAIMS[format](still[format], choices.oneOf(SIDES), choices.oneOf(SIDES)),
  ]),
  [
    'a lie about the size of a moving picture',
    ({ moving }, choices) => {
      const format = choices.oneOf(['gif', 'webp'] as const);
      return CLAIMS[format](moving[format], choices.oneOf(SIDES), choices.oneOf(SIDES));
    },
  ],
  ...Object.entries(POLYGLOTS),
  ...Object.entries(ODD_METADATA),
  ...Object.entries(BOMBS),
  ...Object.entries(OTHER_TYPES).map(([what, make]): readonly [string, Maker] => [
    what,
    (_, choices) => make(choices),
  ]),
];

/**
 * Makes hostile files: each kind in turn, with other choices each time.
 *
 * @param seed repeats the same files
 */
export function* hostileFiles(bases: Bases, count: number, seed: number): Generator<HostileFile> {
  const choices = new Choices(seed);
  for (let index = 0; index < count; index += 1) {
    const [what, make] = MAKERS[index % MAKERS.length] as readonly [string, Maker];
    yield { what, name: choices.oneOf(NAMES), bytes: make(bases, choices) };
  }
}

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sample } from '../../../../test/support/scale.js';
import { cpuTime } from '../../../../test/support/time/cpu-time.js';
import { diffTexts, RUN_KINDS, type DiffBlock, type DiffRun } from './diff-texts.js';
import { Passage } from './passage.js';

const LENGTH = 100_000;

function diff(before: readonly string[], after: readonly string[]): DiffBlock[] {
  const toPassage = (text: string): Passage => new Passage(text);
  return diffTexts(before.map(toPassage), after.map(toPassage));
}

/** Each block as a text: `[-removed-]`, `{+added+}`. */
function marked(blocks: readonly DiffBlock[]): string[] {
  const marks = { same: ['', ''], removed: ['[-', '-]'], added: ['{+', '+}'] } as const;
  const markedRun = ({ kind, text }: DiffRun): string => marks[kind].join(text);
  return blocks.map(({ runs }) => runs.map(markedRun).join(''));
}

/** The blocks without the runs of one kind: without 'added', the older text. */
function sideOf(blocks: readonly DiffBlock[], omitted: 'removed' | 'added'): string[] {
  const texts = blocks.map(({ runs }) =>
    runs
      .filter(({ kind }) => kind !== omitted)
      .map(({ text }) => text)
      .join(''),
  );
  return texts.filter((text) => text !== '');
}

describe('diffTexts', () => {
  it.each([
    ['the same', ['a b', 'c'], ['a b', 'c'], ['a b', 'c']],
    ['nothing before', [], ['a', 'b'], ['{+a+}', '{+b+}']],
    ['nothing after', ['a', 'b'], [], ['[-a-]', '[-b-]']],
    ['a word', ['The red fox ran.'], ['The blue fox ran.'], ['The[- red-]{+ blue+} fox ran.']],
    ['words at both ends', ['two three'], ['one two three four'], ['{+one +}two three{+ four+}']],
    ['punctuation', ['a b, c d.'], ['a b; c d!'], ['a b[-,-]{+;+} c d[-.-]{+!+}']],
    ['whitespace', ['a\n  b c'], ['a\n    b c\n'], ['a[-\n  -]{+\n    +}b c{+\n+}']],
    ['a block between', ['a b', 'c d'], ['a b', 'x y', 'c d'], ['a b', '{+x y+}', 'c d']],
    [
      'an edited block between others',
      ['one', 'We see a cat here.', 'two'],
      ['three', 'We see a dog here.', 'four'],
      ['[-one-]', '{+three+}', 'We see a[- cat-]{+ dog+} here.', '[-two-]', '{+four+}'],
    ],
    [
      'a sentence that became part of another',
      ['A cat sat here. The dog barked.'],
      ['A cat sat here and the dog barked.'],
      ['A cat sat here[-. The-]{+ and the+} dog barked.'],
    ],
    [
      'a rewritten sentence, as a whole',
      ['Keep this sentence as it is. It was cold and the wind blew. And this one stays.'],
      ['Keep this sentence as it is. Nobody came, for what it is worth. And this one stays.'],
      [
        'Keep this sentence as it is.[- It was cold and the wind blew.-]' +
          '{+ Nobody came, for what it is worth.+} And this one stays.',
      ],
    ],
    [
      'a link target, as one word',
      ['see it [link: https://a.example/x.y] now'],
      ['see it [link: https://a.example/x.z] now'],
      ['see it[- [link: https://a.example/x.y]-]{+ [link: https://a.example/x.z]+} now'],
    ],
    [
      'an embed as one word',
      ['see it [embed: https://a.example/x.y] now'],
      ['see it [embed: https://a.example/x.z] now'],
      ['see it[- [embed: https://a.example/x.y]-]{+ [embed: https://a.example/x.z]+} now'],
    ],
    [
      'an image',
      ['[image: a \\[b\\] c, /d]'],
      ['[image: a \\[b\\] c, /e]'],
      ['[-[image: a \\[b\\] c, /d]-]', '{+[image: a \\[b\\] c, /e]+}'],
    ],
    [
      'Chinese',
      ['我们今天学习。很好。'],
      ['我们昨天学习。很好。'],
      ['我们[-今天-]{+昨天+}学习。很好。'],
    ],
    ['Thai', ['ภาษาไทยเป็นภาษา'], ['ภาษาไทยคือภาษา'], ['ภาษาไทย[-เป็น-]{+คือ+}ภาษา']],
    ['Arabic', ['قرأت كتابا قديما'], ['قرأت كتابا جديدا'], ['قرأت كتابا[- قديما-]{+ جديدا+}']],
    ['an emoji', ['ok 👨‍👩‍👧 so'], ['ok 👨‍👩‍👦 so'], ['ok[- 👨‍👩‍👧-]{+ 👨‍👩‍👦+} so']],
    ['an accent', ['le cafe\u0301 noir'], ['le cafe noir'], ['le[- cafe\u0301-]{+ cafe+} noir']],
  ])('should show what changed: %s', (_, before, after, expected) => {
    expect(marked(diff(before, after))).toEqual(expected);
  });

  it('should return non-empty runs that make up both texts, and never two of one kind in a row', () => {
    const word = fc.constantFrom(
      ...['a', 'b', 'c', 'the', '.', '! ', ' ', '\n', '  ', '。', '我们', 'é', 'e\u0301', '👨‍👩‍👧'],
      ...['[link: /a]', '[image: x\\], /b]', '\\[link: ', ']', '\u00a0', '\u200d'],
    );
    const words = fc.array(word, { maxLength: 30 }).map((parts) => parts.join(''));
    const anyText = fc.oneof(words, words, fc.string({ unit: 'binary', maxLength: 20 }));
    const block = anyText.filter((text) => text.trim() !== '');
    const blocks = fc.array(block, { maxLength: 8 });
    fc.assert(
      fc.property(blocks, blocks, blocks, (before, after, both) => {
        const [older, newer] = [
          [...before, ...both],
          [...both, ...after],
        ];
        const result = diff(older, newer);
        expect(sideOf(result, 'added')).toEqual(older);
        expect(sideOf(result, 'removed')).toEqual(newer);
        for (const { runs } of result) {
          expect(runs.length).toBeGreaterThan(0);
          for (const [index, { kind, text }] of runs.entries()) {
            expect(RUN_KINDS).toContain(kind);
            expect(text).not.toBe('');
            expect(kind).not.toBe(runs[index + 1]?.kind);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('should show only the changed words of one long block', () => {
    const sentences = Array.from(
      { length: 2_000 },
      (_, index) => `Sentence number ${index} says so.`,
    );
    const changed = sentences.map((text, index) =>
      index % 50 === 7 ? text.replace('says', 'wrote') : text,
    );
    const [block] = diff([sentences.join(' ')], [changed.join(' ')]);
    const removed = block?.runs.filter(({ kind }) => kind === 'removed');
    expect(removed).toEqual(Array.from({ length: 40 }, () => ({ kind: 'removed', text: ' says' })));
  });
});

/** Returns a function that draws integers below `limit`, the same ones in every test run. */
function pseudoRandom(limit: number): () => number {
  let state = 1;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
}

function lettersOf(count: number, first: string, limit = 26): string[] {
  const random = pseudoRandom(limit);
  return Array.from({ length: count }, () => String.fromCharCode(first.charCodeAt(0) + random()));
}

function chunks(words: readonly string[], size: number): string[] {
  const starts = Array.from({ length: Math.ceil(words.length / size) }, (_, index) => index * size);
  return starts.map((start) => words.slice(start, start + size).join(' '));
}

const LETTERS = lettersOf(LENGTH / 2, 'a');
const HALF_CHANGED = LETTERS.map((letter, index) =>
  index % 2 === 0 ? letter : letter.toUpperCase(),
);
const REVERSED = LETTERS.toReversed();

const HOSTILE: readonly (readonly [what: string, before: string[], after: string[]])[] = [
  ['one-letter words in one block', [LETTERS.join(' ')], [REVERSED.join(' ')]],
  [
    'two words in random order',
    [lettersOf(LENGTH / 2, 'a', 2).join(' ')],
    [lettersOf(49_999, 'b', 2).join(' ')],
  ],
  ['every second word changed', [LETTERS.join(' ')], [HALF_CHANGED.join(' ')]],
  ['every second word changed in long blocks', chunks(LETTERS, 1_000), chunks(HALF_CHANGED, 1_000)],
  ['every second word changed in short blocks', chunks(LETTERS, 200), chunks(HALF_CHANGED, 200)],
  ['words in another order', chunks(LETTERS, 300), chunks(REVERSED, 300)],
  ['a word repeated', ['word '.repeat(20_000)], [`${'word '.repeat(15_000)}${'x '.repeat(9_000)}`]],
  ['blocks of one letter', LETTERS.slice(0, 14_000), REVERSED.slice(0, 14_000)],
  ['similar blocks', chunks(LETTERS.slice(0, 20_000), 3), chunks(HALF_CHANGED.slice(0, 20_000), 3)],
  ['short sentences', ['A b. '.repeat(20_000)], ['A c. '.repeat(20_000)]],
  ['no blanks', ['x'.repeat(LENGTH)], ['y'.repeat(LENGTH)]],
  ['Chinese', ['我们今天在北京。'.repeat(12_500)], ['今天我们在大学里，'.repeat(11_000)]],
  ['punctuation', ['.,;'.repeat(33_333)], [';,.'.repeat(33_333)]],
  ['false tokens', ['[link: '.repeat(14_000)], ['[image: '.repeat(12_000)]],
];

describe('diffTexts of hostile texts of up to 100,000 characters', () => {
  it.each(sample(HOSTILE, 6))('should take bounded time: %s', (_, before, after) => {
    const unlimitedSteps = { areSpent: false, spend: () => undefined };
    const baseline = cpuTime(() =>
      [...chunks(LETTERS, 100), ...chunks(REVERSED, 100)].map((text) =>
        new Passage(text).words(unlimitedSteps),
      ),
    );
    let result: DiffBlock[] = [];
    // Without a bound, most of these would take over a hundred times as long as splitting the texts.
    expect(cpuTime(() => (result = diff(before, after)))).toBeLessThan(20 * baseline);
    expect(sideOf(result, 'added')).toEqual(before);
    expect(sideOf(result, 'removed')).toEqual(after);
  });
});

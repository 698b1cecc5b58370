/** This file imports no other source file at run time: see `diff.worker.ts`. */

/** Splits text of any script. It has no locale, because a text may be in any language. */
const SEGMENTER = new Intl.Segmenter('und', { granularity: 'word' });

/** Matches a token that `visibleBlocks` writes, such as an image or a link target. It counts as one word. */
const TOKEN =
  /((?<!\\)\[(?:image|link|embed|video|audio|source|track|checkbox): (?:\\[[\]]|[^[\]])*\])/;

/** Matches marks that end a sentence if whitespace follows. */
const SENTENCE_END = /^[.!?…]+$/;

/** Matches marks that end a sentence even if no whitespace follows. */
const IDEOGRAPHIC_SENTENCE_END = /^[。！？]+$/;

/** A word or a punctuation mark. Words are equal if their texts are. */
export interface Word {
  /** The whitespace before the word. */
  readonly blank: string;
  /** The word; empty for the end of a text that ends with whitespace. */
  readonly text: string;
}

/** Counts work, so that the time of a diff is bounded. */
export interface Steps {
  readonly areSpent: boolean;
  spend(steps: number): void;
}

/** Steps that splitting a text into words costs, in addition to STEPS_OF_CHARACTER. */
const STEPS_OF_SPLIT = 50;

/** Steps that splitting a text into words costs for each character. */
const STEPS_OF_CHARACTER = 1 / 4;

/** Steps that the look-up of a word costs. */
const STEPS_OF_LOOKUP = 1 / 8;

/** Passages are similar if they have at least this share of their words in common. */
const COMMON_MIN = 0.4;

/** A block or a sentence. It is split into words when they are first needed. */
export class Passage {
  readonly text: string;
  private wordList: readonly Word[] | undefined;
  private counts: ReadonlyMap<string, number> | undefined;

  constructor(text: string) {
    this.text = text;
  }

  private static ofWords(words: readonly Word[]): Passage {
    const passage = new Passage(words.map(({ blank, text }) => blank + text).join(''));
    passage.wordList = words;
    return passage;
  }

  words(steps: Steps): readonly Word[] {
    if (this.wordList === undefined) {
      steps.spend(STEPS_OF_SPLIT + this.text.length * STEPS_OF_CHARACTER);
      this.wordList = wordsOf(this.text);
    }
    return this.wordList;
  }

  sentences(steps: Steps): Passage[] {
    const sentences: Word[][] = [];
    let previous: Word | undefined;
    for (const word of this.words(steps)) {
      if (previous === undefined || isSentenceEnd(previous, word)) sentences.push([]);
      sentences.at(-1)?.push(word);
      previous = word;
    }
    return sentences.map((words) => Passage.ofWords(words));
  }

  /**
   * @param sentences consecutive sentences of this passage
   * @returns the sentences as one passage
   */
  partOf(sentences: readonly Passage[], steps: Steps): Passage {
    return Passage.ofWords(sentences.flatMap((sentence) => sentence.words(steps)));
  }

  /** Whether the passages are similar; also false when the steps are spent. */
  isSimilarTo(other: Passage, steps: Steps): boolean {
    if (steps.areSpent) return false;
    const sizes = [this.words(steps).length, other.words(steps).length] as const;
    const required = (COMMON_MIN * (sizes[0] + sizes[1])) / 2;
    return Math.min(...sizes) >= required && this.countCommon(other, steps) >= required;
  }

  /** Counts the words that both passages have, wherever they stand. */
  private countCommon(other: Passage, steps: Steps): number {
    const [few, many] = [this.wordCounts(steps), other.wordCounts(steps)].sort(
      (one, another) => one.size - another.size,
    ) as [ReadonlyMap<string, number>, ReadonlyMap<string, number>];
    steps.spend(few.size * STEPS_OF_LOOKUP);
    let common = 0;
    for (const [text, count] of few) common += Math.min(count, many.get(text) ?? 0);
    return common;
  }

  private wordCounts(steps: Steps): ReadonlyMap<string, number> {
    if (this.counts === undefined) {
      const counts = new Map<string, number>();
      for (const { text } of this.words(steps)) counts.set(text, (counts.get(text) ?? 0) + 1);
      this.counts = counts;
    }
    return this.counts;
  }
}

/** Whether a sentence ends between two words. */
function isSentenceEnd(previous: Word, { blank }: Word): boolean {
  if (blank.includes('\n') || IDEOGRAPHIC_SENTENCE_END.test(previous.text)) return true;
  return blank !== '' && SENTENCE_END.test(previous.text);
}

/** @returns words that make up the text */
function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let blank = '';
  for (const segment of segmentsOf(text)) {
    if (segment.trim() === '') {
      blank += segment;
    } else {
      words.push({ blank, text: segment });
      blank = '';
    }
  }
  if (blank !== '') words.push({ blank, text: '' });
  return words;
}

function* segmentsOf(text: string): Generator<string, void> {
  for (const [index, part] of text.split(TOKEN).entries()) {
    // Every second part is a token, captured by the group of TOKEN.
    if (index % 2 === 1) yield part;
    else for (const { segment } of SEGMENTER.segment(part)) yield segment;
  }
}

import { type ArrayChange, diffArrays } from 'diff';
import type { Passage, Steps } from './passage.js';

/** This file imports no other source file at run time: see `diff.worker.ts`. */

export const RUN_KINDS = ['same', 'removed', 'added'] as const;

/** A part of a block. Its text is never empty. */
export interface DiffRun {
  readonly kind: (typeof RUN_KINDS)[number];
  readonly text: string;
}

/** A block of one of the two texts, or two similar blocks, one of each text. */
export interface DiffBlock {
  readonly runs: readonly DiffRun[];
}

/**
 * Steps that a diff may take for each character (see StepBudget). Work is counted, not timed, so that
 * the result depends on the texts alone.
 */
const STEPS_PER_CHARACTER = 3;

/** Steps that every diff may take in addition. */
const STEPS_MIN = 20_000;

/** Steps that an alignment costs in addition to its comparisons. */
const STEPS_OF_ALIGNMENT = 150;

/** Steps that a comparison of two items costs. */
const STEPS_OF_COMPARISON = 1 / 32;

/**
 * Largest number of words, older and newer together, of differing sentences that are compared as
 * one passage.
 */
const PASSAGE_MAX = 400;

/** Two items that match, or one that has no match. */
type Row<Item> =
  | { readonly older: Item; readonly newer: Item }
  | { readonly older: Item; readonly newer?: undefined }
  | { readonly older?: undefined; readonly newer: Item };

type Relation<Item> = (older: Item, newer: Item) => boolean;

/** Aligns a gap: the items of both lists between two matches. */
type AlignGap<Item> = (before: readonly Item[], after: readonly Item[]) => Iterable<Row<Item>>;

/**
 * Compares two texts block by block, similar blocks sentence by sentence, and similar sentences
 * word by word. Equal blocks or sentences are matched first, then similar ones between them. What
 * has no match is removed or added as a whole, and so is what differs too much to be compared in
 * the available steps.
 *
 * @param before the blocks of the older text
 * @param after the blocks of the newer text
 * @returns the blocks of both texts. The runs `same` and `removed` of a block make up the older
 *   block, if there is one; `same` and `added` make up the newer one.
 */
export function diffTexts(before: readonly Passage[], after: readonly Passage[]): DiffBlock[] {
  const length = [...before, ...after].reduce((sum, { text }) => sum + text.length, 0);
  const steps = new StepBudget(STEPS_MIN + length * STEPS_PER_CHARACTER);
  return Array.from(alignBlocks(before, after, steps), (block) => {
    const runs = new Runs();
    diffPassages(block, runs, (...blocks) => {
      for (const sentences of alignSentences(...blocks, steps)) {
        diffPassages(sentences, runs, (...pair) => diffWords(...pair, runs, steps));
      }
    });
    return { runs: runs.end() };
  });
}

/** @param diffSimilar is called for two passages that are not equal */
function diffPassages(
  { older, newer }: Row<Passage>,
  runs: Runs,
  diffSimilar: (older: Passage, newer: Passage) => void,
): void {
  if (older === undefined) runs.add(newer.text);
  else if (newer === undefined) runs.remove(older.text);
  else if (older.text === newer.text) runs.keep(older.text);
  else diffSimilar(older, newer);
}

function diffWords(before: Passage, after: Passage, runs: Runs, steps: StepBudget): void {
  if (steps.areSpent) {
    runs.remove(before.text);
    runs.add(after.text);
    return;
  }
  const rows = align(before.words(steps), after.words(steps), haveEqualTexts, unmatched, steps);
  for (const { older, newer } of rows) {
    if (older !== undefined && older.blank === newer?.blank) {
      runs.keep(older.blank);
    } else {
      runs.remove(older?.blank ?? '');
      runs.add(newer?.blank ?? '');
    }
    if (older === undefined) runs.add(newer.text);
    else if (newer === undefined) runs.remove(older.text);
    else runs.keep(older.text);
  }
}

function alignBlocks(
  before: readonly Passage[],
  after: readonly Passage[],
  steps: StepBudget,
): Iterable<Row<Passage>> {
  return align(before, after, haveEqualTexts, (...gap) => alignSimilar(...gap, steps), steps);
}

/**
 * @returns rows of sentences. A row may hold several sentences on one side, if the two texts divide
 *   their sentences differently.
 */
function alignSentences(
  before: Passage,
  after: Passage,
  steps: StepBudget,
): Iterable<Row<Passage>> {
  const alignGap: AlignGap<Passage> = (...gap) => {
    const words = gap.flat().reduce((sum, sentence) => sum + sentence.words(steps).length, 0);
    if (words <= PASSAGE_MAX) {
      const [older, newer] = [before.partOf(gap[0], steps), after.partOf(gap[1], steps)];
      if (older.isSimilarTo(newer, steps)) return [{ older, newer }];
    }
    return alignSimilar(...gap, steps);
  };
  const [older, newer] = [before.sentences(steps), after.sentences(steps)];
  return align(older, newer, haveEqualTexts, alignGap, steps);
}

function alignSimilar(
  before: readonly Passage[],
  after: readonly Passage[],
  steps: StepBudget,
): Iterable<Row<Passage>> {
  const areSimilar: Relation<Passage> = (older, newer) => older.isSimilarTo(newer, steps);
  return align(before, after, areSimilar, unmatched, steps);
}

const haveEqualTexts: Relation<{ readonly text: string }> = (older, newer) =>
  older.text === newer.text;

/**
 * Matches as many items of two lists as possible without changing their order.
 *
 * @param matches whether two items match
 * @param alignGap returns the rows of the items between two matches
 * @returns every item once, in order
 */
function* align<Item>(
  before: readonly Item[],
  after: readonly Item[],
  matches: Relation<Item>,
  alignGap: AlignGap<Item>,
  steps: StepBudget,
): Generator<Row<Item>, void> {
  /** Positions up to which all items have been returned. */
  const done = { before: 0, after: 0 };
  const at = { before: 0, after: 0 };
  for (const { removed, added, count } of changesOf(before, after, matches, steps)) {
    if (!added) at.before += count;
    if (!removed) at.after += count;
    if (added || removed) continue;
    const start = { before: at.before - count, after: at.after - count };
    yield* rowsOfGap(
      before.slice(done.before, start.before),
      after.slice(done.after, start.after),
      alignGap,
    );
    for (let index = 0; index < count; index += 1) {
      yield {
        older: before[start.before + index] as Item,
        newer: after[start.after + index] as Item,
      };
    }
    Object.assign(done, at);
  }
  yield* rowsOfGap(before.slice(done.before), after.slice(done.after), alignGap);
}

/** @param alignGap is called if there are items on both sides */
function rowsOfGap<Item>(
  before: readonly Item[],
  after: readonly Item[],
  alignGap: AlignGap<Item>,
): Iterable<Row<Item>> {
  const isOneSided = before.length === 0 || after.length === 0;
  return (isOneSided ? unmatched : alignGap)(before, after);
}

/** Returns every item in a row of its own. */
function* unmatched<Item>(
  before: readonly Item[],
  after: readonly Item[],
): Generator<Row<Item>, void> {
  for (const older of before) yield { older };
  for (const newer of after) yield { newer };
}

/**
 * @returns the changes that turn one list into the other; none if finding them takes too many steps
 */
function changesOf<Item>(
  before: readonly Item[],
  after: readonly Item[],
  comparator: Relation<Item>,
  steps: StepBudget,
): ArrayChange<Item>[] {
  const length = before.length + after.length;
  const maxEditLength = steps.maxEdits(length);
  const changes = diffArrays([...before], [...after], { comparator, maxEditLength });
  const edits = changes?.filter(({ added, removed }) => added || removed);
  steps.spendEdits(edits?.reduce((sum, { count }) => sum + count, 0) ?? maxEditLength, length);
  return changes ?? [];
}

/** Collects the runs of a block. Adjacent runs of the same kind are joined, and none is empty. */
class Runs {
  private readonly runs: DiffRun[] = [];
  private readonly open = { same: '', removed: '', added: '' };

  keep(text: string): void {
    if (text === '') return;
    if (this.open.removed !== '' || this.open.added !== '') this.end();
    this.open.same += text;
  }

  remove(text: string): void {
    this.open.removed += text;
  }

  add(text: string): void {
    this.open.added += text;
  }

  /**
   * Ends the open runs.
   *
   * @returns all runs
   */
  end(): readonly DiffRun[] {
    for (const kind of RUN_KINDS) {
      const text = this.open[kind];
      if (text !== '') this.runs.push({ kind, text });
      this.open[kind] = '';
    }
    return this.runs;
  }
}

/**
 * Counts the work of one diff. To find n edits in lists of m items in total, the library takes at most
 * n²/2 steps and compares at most n × m items.
 */
class StepBudget implements Steps {
  private left: number;

  constructor(steps: number) {
    this.left = steps;
  }

  get areSpent(): boolean {
    return this.left <= 0;
  }

  spend(steps: number): void {
    this.left -= steps;
  }

  /** @returns the number of edits that can be searched for with half of the remaining steps */
  maxEdits(length: number): number {
    const perEdit = length * STEPS_OF_COMPARISON;
    return Math.floor(Math.sqrt(perEdit ** 2 + Math.max(0, this.left)) - perEdit);
  }

  spendEdits(edits: number, length: number): void {
    this.spend(STEPS_OF_ALIGNMENT + edits ** 2 / 2 + edits * length * STEPS_OF_COMPARISON);
  }
}

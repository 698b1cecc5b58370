/** A range of a text in UTF-16 code units. */
export interface TextRange {
  readonly start: number;
  /** The position after the last code unit of the range. */
  readonly end: number;
}

/** Another form under which a word is found, such as `nodejs` for each word of `Node.js`. */
export interface OtherForm extends TextRange {
  readonly form: string;
}

/** A word, and where it stands in its text. */
export interface SearchWord extends TextRange {
  /** The word without regard to case, accents and width. */
  readonly word: string;
  /** The forms under which it is found as well, after the articles that spell it as `word`. */
  readonly others: readonly OtherForm[];
}

/** A run of letters and digits, or an emoji, before its other forms are found. */
export interface RawWord extends SearchWord {
  /**
   * Whether it is a single letter next to an apostrophe, as in `l'eau` or `it's`. Such a letter is no
   * word of its own.
   */
  readonly isElided: boolean;
}

/**
 * What texts may contain, as classes of Unicode characters. All fields that people write follow these
 * rules: titles, names, tags, slugs, comments. Worker threads import this file, so it imports nothing.
 */

/**
 * Characters that show nothing: those that Unicode tells programs to ignore (soft hyphen, zero-width
 * characters, bidirectional marks, variation selectors, Hangul fillers), and others that fonts draw
 * empty (the blank Braille pattern, annotation marks, noncharacters).
 */
const IGNORED = String.raw`\p{Default_Ignorable_Code_Point}`;
const EMPTY = String.raw`\u2800\ufff9-\ufffc\u{13430}-\u{13440}\u{16fe4}\u{1d159}\p{Noncharacter_Code_Point}`;

/** A letter or symbol that shows nothing, with the marks that stand on it. */
const EMPTY_BASE = new RegExp(`[\u115f\u1160\u3164\uffa0${EMPTY}]\\p{M}*`, 'gu');
const INVISIBLE = new RegExp(`[${IGNORED}]+`, 'gu');

/** A mark alone shows nothing that can be read: it needs a letter or symbol to stand on. */
const VISIBLE = new RegExp(String.raw`[^\p{White_Space}\p{Cc}\p{Cs}\p{M}${IGNORED}${EMPTY}]`, 'u');

/** Whether a reader sees anything of the text. */
export function hasVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** The text without the characters that show nothing. */
export function withoutInvisible(text: string): string {
  return text.replace(EMPTY_BASE, '').replace(INVISIBLE, '');
}

/** An emoji with its variation selectors, joiners and tags, of which some are invisible. */
const PICTURE = String.raw`\p{Extended_Pictographic}[\ufe0e\ufe0f\p{Emoji_Modifier}\u{e0020}-\u{e007f}]*`;
const EMOJI = String.raw`${PICTURE}(?:\u200d${PICTURE})*|[0-9#*]\ufe0f\u20e3`;

/** Letters whose form a joiner beside them decides, as in Persian and in the scripts of India. */
const SHAPED = String.raw`(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Inherited}])[\p{L}\p{M}]`;
const JOINER = String.raw`(?<=${SHAPED})[\u200c\u200d](?=${SHAPED})`;

const SHAPING_OR_INVISIBLE = new RegExp(`(${EMOJI}|${JOINER})|[${IGNORED}${EMPTY}]`, 'gu');

/** The text without the invisible characters that do not decide how words and emoji look. */
export function withoutNeedlessInvisible(text: string): string {
  return text.replace(SHAPING_OR_INVISIBLE, (_, shaping?: string) => shaping ?? '');
}

/** A mark that stands on no letter or digit, such as one whose emoji was dropped. */
const LONE_MARK = /(?<![\p{L}\p{N}\p{M}])\p{M}+/gu;

export function withoutLoneMarks(text: string): string {
  return text.replace(LONE_MARK, '');
}

/** Repeats a change of a text until it changes nothing more. */
export function untilStable(text: string, change: (text: string) => string): string {
  let stable = text;
  let previous: string;
  do {
    previous = stable;
    stable = change(previous);
  } while (stable !== previous);
  return stable;
}

/** The dot that lower case puts on the letter of `İ`, although `i` has one. */
const SECOND_DOT = /(\p{Soft_Dotted}[\p{M}--\u0307]*)\u0307/gv;

/** The text in lower case. `İ` becomes `i`, whose dot is not doubled. */
export function folded(text: string): string {
  return text.toLowerCase().replace(SECOND_DOT, '$1');
}

const BLANKS = /\p{White_Space}+/gu;
const ENDS_A_LINE_OR_CELL = /[\t-\r\x85\u2028\u2029]/;

/** Blanks, and letters and patterns that look like one. */
const LOOKS_BLANK = /[\p{White_Space}\u2800\u3164\uffa0]+/gu;

/** One blank for each run of characters that look blank. */
export function withSingleBlanks(text: string): string {
  return text.replace(LOOKS_BLANK, ' ');
}

/** The text as one line: a run of blanks that has a tab or a line break becomes one blank. */
export function asOneLine(text: string): string {
  if (!ENDS_A_LINE_OR_CELL.test(text)) return text.trim();
  return text.replace(BLANKS, (run) => (ENDS_A_LINE_OR_CELL.test(run) ? ' ' : run)).trim();
}

const LINE_BREAK = /\r\n|[\n-\r\x85\u2028\u2029]/;
/** Control characters other than tab and line breaks. */
const CONTROL = /[^\P{Cc}\t-\r\x85]/u;
const CONTROLS = new RegExp(CONTROL, 'gu');
const OVERRIDE = /[\u202d\u202e]/;
const OPENS = /[\u202a\u202b\u2066-\u2068]/;
const CLOSES = /[\u202c\u2069]/;
const ORDER_CHARACTERS = /[\u202a-\u202e\u2066-\u2069]/gu;

/** The end of an error message about a NUL. */
export const NUL_PROBLEM = 'must not contain NUL characters';

/** @returns the end of an error message about a character that no text may have; null for a good text */
export function forbiddenProblem(text: string): string | null {
  const [control] = CONTROL.exec(text) ?? [];
  if (control === '\0') return NUL_PROBLEM;
  if (control !== undefined) return `must not contain control characters (${codeOf(control)})`;
  return orderProblem(text);
}

/** @returns the end of an error message about a character that changes the order of others, or null */
export function orderProblem(text: string): string | null {
  const order = text.match(ORDER_CHARACTERS) && text.split(LINE_BREAK).find(changesTheOrder);
  return order
    ? `must not contain characters that turn the order of others (${codeOf(order.match(ORDER_CHARACTERS)?.[0] ?? '')})`
    : null;
}

/** The text without control characters and characters that change the order of others. */
export function withoutForbidden(text: string): string {
  return withoutOrder(text.replace(CONTROLS, ''));
}

/** The text without the characters for embedded directions, if they change the order of others. */
export function withoutOrder(text: string): string {
  return orderProblem(text) === null ? text : text.replace(ORDER_CHARACTERS, '');
}

/**
 * Whether a paragraph overrides the direction of its characters, or opens an embedding or isolate that
 * it does not close (UAX 9): text that is shown behind it would be in another order.
 */
function changesTheOrder(paragraph: string): boolean {
  if (OVERRIDE.test(paragraph)) return true;
  let open = 0;
  for (const character of paragraph.match(ORDER_CHARACTERS) ?? []) {
    if (OPENS.test(character)) open += 1;
    else if (CLOSES.test(character)) open -= 1;
    if (open < 0) return true;
  }
  return open !== 0;
}

function codeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `U+${code.padStart(4, '0')}`;
}

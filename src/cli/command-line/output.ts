import type { Command } from 'commander';
import { jsonEscapes } from '../../platform/text/json-escapes.js';

/** The options that every command has. */
export interface CommonOptions {
  /** Whether the command prints one JSON value to stdout instead of text. */
  readonly json?: boolean;
}

/**
 * Prints the result of a command to stdout.
 *
 * @param value value that `--json` prints, as one line
 * @param lines lines that are printed without `--json`; whatever they hold, each stays one line
 */
export function printResult(command: Command, value: unknown, lines: readonly string[]): void {
  const { json = false } = command.optsWithGlobals<CommonOptions>();
  const output = json ? [JSON.stringify(value)] : lines;
  process.stdout.write(output.map((line) => `${printable(line)}\n`).join(''));
}

/** Blanks in a cell that could pass for the distance between two columns. */
const WIDE_BLANK = /[^\S\n\r\u2028\u2029]{2,}/gu;

/** Formats rows as lines with aligned columns. */
export function columns(cells: readonly (readonly string[])[]): string[] {
  const rows = cells.map((row) => row.map((cell) => printable(cell.replace(WIDE_BLANK, ' '))));
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/**
 * What a terminal or a reader could take for something else: control characters, line and paragraph separators,
 * characters that change the direction of text, and unpaired surrogates.
 */
const MISLEADING =
  /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

/**
 * The text as one line that shows what it holds: a name from the database, or the name of a file, cannot add a line,
 * colour or move what stands beside it. The escapes are those of JSON, so that JSON stays the same value.
 */
export function printable(text: string): string {
  return text.replace(MISLEADING, jsonEscapes);
}

/** Prints lines to stderr. */
export function printErrorLines(lines: readonly string[]): void {
  process.stderr.write(lines.map((line) => `${printable(line)}\n`).join(''));
}

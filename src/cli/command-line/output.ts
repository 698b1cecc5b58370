import type { Command } from 'commander';

/** The options that every command has. */
export interface CommonOptions {
  /** Whether the command prints one JSON value to stdout instead of text. */
  readonly json?: boolean;
}

/**
 * Prints the result of a command to stdout.
 *
 * @param value value that `--json` prints, as one line
 * @param lines lines that are printed without `--json`
 */
export function printResult(command: Command, value: unknown, lines: readonly string[]): void {
  const { json = false } = command.optsWithGlobals<CommonOptions>();
  process.stdout.write(
    json ? `${JSON.stringify(value)}\n` : lines.map((line) => `${line}\n`).join(''),
  );
}

/** Formats rows as lines with aligned columns. */
export function columns(rows: readonly (readonly string[])[]): string[] {
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

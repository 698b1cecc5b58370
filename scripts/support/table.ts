/**
 * Formats rows as text with aligned columns: the first column is aligned to the left, the others to the right. The
 * number of columns is that of the first row.
 */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      widths
        .map((width, column) => (row[column] ?? '')[column === 0 ? 'padEnd' : 'padStart'](width))
        .join('  '),
    )
    .join('\n');
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Names of types of Swift and Foundation. A generated type with such a name hides the original type. */
const SWIFT_TYPES = new Set(
  (
    'Any AnyObject Array Bool Character Codable Data Date Decimal Decoder Dictionary Double Encoder Error ' +
    'Float Int Never Notification Optional Result Self Set String Task Thread Timer Type URL URLRequest ' +
    'UUID Void'
  ).split(' '),
);

const DECLARATION =
  /^(\s*)(?:public |open |internal |indirect )*(?:final )?(struct|class|enum|actor) (?!func\b|var\b|let\b)(\w+)/;
const CASE = /^\s*case (\w+)/;

/** Finds names in a generated client that are declared twice in one scope, or that hide one of SWIFT_TYPES. */
export function swiftCollisions(folder: string): string[] {
  const seen = new Set<string>();
  const problems: string[] = [];
  const declare = (scope: string, name: string, file: string): void => {
    const full = `${scope}.${name}`;
    if (seen.has(full)) problems.push(`${file}: ${full.slice(1)} is declared twice`);
    seen.add(full);
  };
  const files = readdirSync(join(folder, 'Sources'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.swift') && !name.includes('Infrastructure'));
  if (files.length === 0) throw new Error('no Swift was generated');
  for (const file of files) {
    // The types that contain the present line, outermost first. The indentation of a line tells which ones contain
    // it.
    let open: { readonly indent: number; readonly name: string; readonly isEnum: boolean }[] = [];
    for (const line of readFileSync(join(folder, 'Sources', file), 'utf8').split('\n')) {
      const indent = line.length - line.trimStart().length;
      const within = open.filter((type) => type.indent < indent);
      const scope = within.map(({ name }) => `.${name}`).join('');
      const [, , kind, name] = DECLARATION.exec(line) ?? [];
      if (name !== undefined) {
        declare(scope, name, file);
        if (scope === '' && SWIFT_TYPES.has(name)) problems.push(`${file}: ${name} hides a type`);
        open = [...within, { indent, name, isEnum: kind === 'enum' }];
        continue;
      }
      const [, value] = CASE.exec(line) ?? [];
      const enclosing = within.at(-1);
      // Cases of a `switch` are indented deeper than those of an enum, because they are inside a function.
      const isEnumCase = enclosing?.isEnum === true && indent === enclosing.indent + 4;
      if (value !== undefined && isEnumCase) declare(scope, value, file);
    }
  }
  return problems;
}

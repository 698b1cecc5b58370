/** The arguments of a tag, as in `figure "a.png" width=300 alt="A"`. */
export interface TagArguments {
  readonly positional: readonly string[];
  /** By their names in lower case. */
  readonly named: Readonly<Record<string, string>>;
  /** All arguments as they are written. */
  readonly source: string;
}

const ARGUMENT =
  /(?:([\w-]+)\s*[=:]\s*)?(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`([^`]*)`|([^\s"'`,][^\s,]*))/g;

export function tagArguments(source: string): TagArguments {
  const positional: string[] = [];
  const named: Record<string, string> = {};
  for (const [, name, ...values] of source.matchAll(ARGUMENT)) {
    const index = values.findIndex((value) => value !== undefined);
    const value = values[index] ?? '';
    const text = index < 2 ? value.replace(/\\(.)/g, '$1') : value;
    // An address has a colon, but no name.
    if (name === undefined) positional.push(text);
    else if (text.startsWith('//')) positional.push(`${name}:${text}`);
    else named[name.toLowerCase()] = text;
  }
  return { positional, named, source };
}

/** The first of the named arguments that is there; else the positional one; '' if there is none. */
export function argumentOf(
  { positional, named }: TagArguments,
  names: readonly string[],
  position = 0,
): string {
  const name = names.find((each) => named[each] !== undefined);
  return (name === undefined ? positional[position] : named[name]) ?? '';
}

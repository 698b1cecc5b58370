/** Every combination of one entry from each list, in the order of the lists. */
export function product<const Lists extends readonly (readonly string[])[]>(
  ...lists: Lists
): { readonly [Index in keyof Lists]: string }[] {
  let rows: string[][] = [[]];
  for (const list of lists) {
    rows = rows.flatMap((row) => list.map((entry) => [...row, entry]));
  }
  return rows as { readonly [Index in keyof Lists]: string }[];
}

/** Every context with every text in place of its `*`. */
export function put(contexts: readonly string[], texts: readonly string[]): string[] {
  return product(contexts, texts).map(([context, text]) => context.replaceAll('*', () => text));
}

/** Harmful markup, which the payloads put into different contexts. */
export const HARMFUL = [
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '<svg onload=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"></iframe>',
] as const;

/** One of HARMFUL, for payloads that need not be tried with each of them. */
export const IMAGE = HARMFUL[0];

/** Places in an article that parsers treat differently. */
export const PLACES = [
  '*',
  '<p>*</p>',
  '<ul><li>*',
  '<table>*',
  '<a href="/a">*',
  '<b>*',
  '<pre>*',
];

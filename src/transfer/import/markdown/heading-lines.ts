import type { Heading } from '../links/heading-ids.ts';

/** The headings of a text that begin with number signs, without markup: to find them by their ids needs no HTML. */
export function headingLines(markdown: string): Heading[] {
  const headings: Heading[] = [];
  let fence = '';
  for (const line of markdown.split('\n')) {
    const [, ticks = ''] = /^\s{0,20}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== '') {
      if (ticks.startsWith(fence)) fence = '';
    } else if (ticks !== '') fence = ticks;
    else if (/^ {0,3}#{1,6}[ \t]/.test(line)) headings.push(headingOf(line.slice(0, 1_000)));
  }
  return headings;
}

function headingOf(line: string): Heading {
  const [, id, commented = ''] =
    /\{(?:[^{}#\n]{0,100}#([\w-]+)[^{}]{0,100}|\/\*\s*([\w-]+)\s*\*\/)\}\s*$/.exec(line) ?? [];
  const text = line
    .replace(/^[\s#]+|\s*#*\s*$/g, '')
    .replace(/(?<!\s)\s*\{[^{}]*\}$/, '')
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/[`*]/g, '');
  return { id: id ?? commented, text };
}

import { Marked } from 'marked';
import footnote from 'marked-footnote';

/** Renders GitHub's Markdown with footnotes. HTML in it stays, and is cleaned later like all HTML. */
const MARKED = new Marked(footnote(), {
  renderer: {
    // Articles have no forms, so the checkbox of a task list becomes a character.
    checkbox: ({ checked }) => (checked ? '\u2611 ' : '\u2610 '),
  },
});

/** Matches fenced and inline code, in which nothing is markup. */
const CODE =
  /^( {0,3})(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\2[^\n]*(?:\n|$)|(?![\s\S]))|(`+)[^\n]*?\3/gm;

type Replacement = readonly [pattern: RegExp, by: string | ((...groups: string[]) => string)];

/** Replacements of the markup of site generators by Markdown or HTML. */
const GENERATORS: readonly Replacement[] = [
  // Code of Jekyll, Eleventy and Hugo.
  [
    /\{%-?\s*highlight\s+([\w+#-]+)[^%]*-?%\}\s*\n?([\s\S]*?)\n?\{%-?\s*endhighlight\s*-?%\}/g,
    (_, language = '', code = '') => fenced(language, code),
  ],
  [
    /\{\{[<%]\s*highlight\s+"?([\w+#-]+)"?[^>%]*[>%]\}\}\s*\n?([\s\S]*?)\n?\{\{[<%]\s*\/\s*highlight\s*[>%]\}\}/g,
    (_, language = '', code = '') => fenced(language, code),
  ],
  [/\{%-?\s*(?:end)?(?:raw|comment)\s*-?%\}/g, ''],
  // Links to the site itself.
  [/\{\{-?\s*(?:site|page)\.(?:baseurl|url)\s*-?\}\}/g, ''],
  [/\{\{-?\s*["'](\/[^"']*)["']\s*\|\s*(?:relative_url|absolute_url|url)\s*-?\}\}/g, '$1'],
  // Pictures and videos of Hugo.
  [/\{\{[<%]\s*figure\s+([^>]*?)\/?\s*[>%]\}\}/g, (_, attributes = '') => figureOf(attributes)],
  [
    /\{\{[<%]\s*youtube\s+(?:id=)?"?([\w-]{6,20})"?[^>%]*[>%]\}\}/g,
    '<iframe src="https://www.youtube-nocookie.com/embed/$1"></iframe>',
  ],
  [
    /\{\{[<%]\s*vimeo\s+(?:id=)?"?(\d{4,20})"?[^>%]*[>%]\}\}/g,
    '<iframe src="https://player.vimeo.com/video/$1"></iframe>',
  ],
];

/** Matches other tags of generators, which stay in the text. */
const LEFT =
  /\{\{[<%]\s*\/?\s*([\w./-]+)[^\n]*?[>%]\}\}|\{%-?\s*([\w-]+)[^\n]*?%\}|\{\{-?\s*([\w.]+)[^\n]*?\}\}/g;

/** Matches the `import` and `export` lines of MDX before the text. */
const MODULE_LINES =
  /^(?:\s*(?:import\s[^\n]*?from\s*['"][^\n]*|import\s*['"][^\n]*|export\s[^\n]*))+(?:\n|$)/;

export interface RenderedMarkdown {
  readonly html: string;
  readonly notes: readonly string[];
}

/**
 * Renders the text of a file.
 *
 * @param isMdx whether the text may import components
 */
export function renderMarkdown(markdown: string, isMdx: boolean): RenderedMarkdown {
  const text = isMdx ? markdown.replace(MODULE_LINES, '') : markdown;
  const replaced = GENERATORS.reduce(
    (result, [pattern, by]) => outsideCode(result, (part) => part.replace(pattern, by as string)),
    text,
  );
  const left = new Set<string>();
  outsideCode(replaced, (part) => {
    for (const [, hugo, liquid, value] of part.matchAll(LEFT))
      left.add(hugo ?? liquid ?? value ?? '');
    return part;
  });
  const html = MARKED.parse(replaced, { async: false });
  const notes = [...left].map(
    (name) => `text: the shortcode or tag "${name}" stays as it is written`,
  );
  return { html, notes };
}

/** Applies a change to a text, except to the code in it. */
function outsideCode(text: string, change: (part: string) => string): string {
  if (!/\{[{%]/.test(text)) return text;
  const result: string[] = [];
  let at = 0;
  for (const match of text.matchAll(CODE)) {
    result.push(change(text.slice(at, match.index)), match[0]);
    at = match.index + match[0].length;
  }
  return [...result, change(text.slice(at))].join('');
}

function fenced(language: string, code: string): string {
  return `\n\`\`\`\`${language}\n${code}\n\`\`\`\`\n`;
}

function figureOf(attributes: string): string {
  const valueOf = (name: string): string =>
    new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
  const alt = valueOf('alt') || valueOf('caption') || valueOf('title');
  const image = `<img src="${valueOf('src')}" alt="${alt}">`;
  const caption = valueOf('caption') || valueOf('title');
  return caption === ''
    ? `<figure>${image}</figure>`
    : `<figure>${image}<figcaption>${caption}</figcaption></figure>`;
}

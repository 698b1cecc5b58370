import { Marks } from './marks.ts';
import { Mdx } from './mdx/mdx.ts';
import { looksLikeMdx } from './mdx/mdx-signs.ts';
import { replaceOutsideCode, type Rule } from './outside-code.ts';
import { FOOTNOTES, MarkdownLimitError, Rendering } from './rendering.ts';
import { footnotesHeading } from './syntax/footnotes.ts';
import { GeneratorTags } from './tags/generator-tags.ts';

export { MarkdownLimitError } from './rendering.ts';

/** Longest text that is converted, in characters. */
const MARKDOWN_MAX = 1_048_576;

export interface MarkdownForm {
  /**
   * MDX has elements that are components, HTML is Markdown only in its tags. If it is left out, GitHub's Markdown or
   * MDX, whichever the text is.
   */
  readonly form?: 'markdown' | 'mdx' | 'html';
  /** Whether a first heading of level 1 is the title, and not part of the text. */
  readonly takesTitle?: boolean;
  /** The paths of embedded files, which notebooks may name without their folders, by these names. */
  readonly files?: Readonly<Record<string, string>>;
  /** The language of the text, such as `de-AT`; null if it is not known. */
  readonly language?: string | null;
  /** The language of the site, which a text is in that does not say or show another one; null if it is not known. */
  readonly siteLanguage?: string | null;
}

export interface RenderedMarkdown {
  readonly html: string;
  /** The title as HTML; null if the text has none, or it was not asked for. */
  readonly title: string | null;
  /** What was kept as it is written, and so on: sentences for the author. */
  readonly notes: readonly string[];
}

/**
 * Converts Markdown to HTML, which is not clean yet: GitHub's Markdown with footnotes, and what the usual site
 * generators add to it. The bounds hold for any text. A caller that converts the text of others does it on a
 * thread that can be ended, because the parser has no bound for its time.
 *
 * @throws MarkdownLimitError
 */
export function renderMarkdown(markdown: string, given: MarkdownForm = {}): RenderedMarkdown {
  const { takesTitle = false, language = null, siteLanguage = null, files = {} } = given;
  if (markdown.length > MARKDOWN_MAX) {
    throw new MarkdownLimitError(`its text has more than ${MARKDOWN_MAX} characters of Markdown`);
  }
  const { form = 'markdown' } = given;
  const isMdx = form === 'mdx' || (form === 'markdown' && looksLikeMdx(markdown));
  const marks = new Marks();
  const tags = new GeneratorTags(marks);
  const mdx = new Mdx(marks);
  const read: Rule = isMdx ? (text, at) => tags.read(text, at) ?? mdx.read(text, at) : tags.read;
  const marked = replaceOutsideCode(Marks.free(markdown), isMdx, read);
  const notes = new Set<string>();
  const rendering = new Rendering({ marks, notes, isMdx, files, takesTitle });
  const html = form === 'html' ? marks.fill(marked) : rendering.htmlOf(marked);
  const heading = html.includes(FOOTNOTES)
    ? footnotesHeading(language, siteLanguage, markdown)
    : null;
  const kept = [...tags.kept].map(
    (name) => `text: the shortcode or tag "${name}" stays as it is written`,
  );
  return {
    html: marks.restore(html).replace(FOOTNOTES, heading === null ? '<hr>' : `<h2>${heading}</h2>`),
    title: rendering.title,
    notes: [...kept, ...mdx.notes, ...notes],
  };
}

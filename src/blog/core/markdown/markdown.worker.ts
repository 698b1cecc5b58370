// Node runs this module on the thread of MarkdownConverter, in tests as TypeScript, so these imports end in `.ts`.
import { MarkdownLimitError, renderMarkdown, type RenderedMarkdown } from './markdown-html.ts';

/** Why a text cannot be converted. */
export interface MarkdownRefusal {
  readonly problem: string;
}

export interface MarkdownTask {
  readonly markdown: string;
  /** The language of the site; null if it is not set. */
  readonly siteLanguage: string | null;
}

/** @returns the refusal of a text that exceeds a bound: an error would lose its class between threads */
export function convertOnThread({
  markdown,
  siteLanguage,
}: MarkdownTask): RenderedMarkdown | MarkdownRefusal {
  try {
    return renderMarkdown(markdown, { siteLanguage });
  } catch (error) {
    if (error instanceof MarkdownLimitError) return { problem: error.message };
    throw error;
  }
}

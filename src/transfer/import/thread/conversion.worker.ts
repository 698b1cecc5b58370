// Node runs this module on the thread of ConversionThread, in tests as TypeScript, so these imports end in `.ts`.
import type { ImportedArticle, Refusal } from '../articles/imported-article.ts';
import { FrontMatterError, readFrontMatter, type FrontMatter } from '../markdown/front-matter.ts';
import { readFileName } from '../markdown/file-name.ts';
import { markdownArticle, type MarkdownOptions } from '../markdown/markdown-article.ts';
import { MarkdownLimitError } from '../../../blog/core/markdown/markdown-html.ts';

/** Does nothing: a thread that has run it has loaded the converter. */
export function wake(): void {}

/** A Markdown file. */
export interface MarkdownTask {
  /** The path within the folder. */
  readonly path: string;
  readonly text: string;
  readonly options: MarkdownOptions;
}

/** Reads the front matter of a file, or says why it cannot be read. */
export function readFields(text: string): { readonly fields: FrontMatter } | Refusal {
  try {
    return { fields: readFrontMatter(text).fields };
  } catch (error) {
    if (error instanceof FrontMatterError) return { reason: error.message };
    throw error;
  }
}

/** Reads the article of a file, or says why it is refused. */
export function readMarkdown({ path, text, options }: MarkdownTask): ImportedArticle | Refusal {
  try {
    const [pathData, file] = [readFileName(path, options.root), readFrontMatter(text)];
    if (pathData.form === 'html' && file.body === text) {
      return { reason: 'it is HTML without front matter' };
    }
    return markdownArticle(path, file, pathData, options);
  } catch (error) {
    if (error instanceof FrontMatterError || error instanceof MarkdownLimitError) {
      return { reason: error.message };
    }
    throw error;
  }
}

import { cleanHtml } from '../../../blog/core/html/clean-html.ts';
import { visibleText } from '../../../blog/core/text/visible-text.ts';

/** The text of HTML as a reader sees it, on one line. A text without markup is returned as it is. */
export function plainText(html: string): string {
  return /[<&]/.test(html) ? visibleText(cleanHtml(html)) : html;
}

import { escapeHtml } from '../../../platform/text/escape-html.js';
import { inertText } from './inert-text.js';

/** A value of a placeholder: a text of a person, or several, of which each becomes an item of a list. */
export type MailValue = string | readonly string[];

/** The values of the placeholders of a mail. */
export interface MailValues {
  /** Texts of the server and its operator: the link, and the name of the site. */
  readonly trusted: Readonly<Record<string, string>>;
  /** Texts of people, which are made inert. */
  readonly values: Readonly<Record<string, MailValue>>;
}

/** A mail as it is sent. */
export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A template: a line `Subject: …`, an empty line, and paragraphs with placeholders such as `{link}`. */
export interface MailTemplate {
  readonly subject: string;
  readonly paragraphs: readonly string[];
}

const PLACEHOLDER = /\{(\w+)\}/g;
const FORM = /^Subject: (.+)\n\n([\s\S]+)$/;

/** @returns null for a text that does not begin with `Subject: …` and an empty line */
export function parseTemplate(text: string): MailTemplate | null {
  const [, subject, body] = FORM.exec(text.replaceAll('\r\n', '\n').trim()) ?? [];
  if (subject === undefined || body === undefined) return null;
  const paragraphs = body.split(/\n{2,}/).map((paragraph) => paragraph.trim());
  return { subject: subject.trim(), paragraphs };
}

/** The names of the placeholders of a template. */
export function placeholdersOf({ subject, paragraphs }: MailTemplate): string[] {
  const names = [subject, ...paragraphs].flatMap((text) =>
    Array.from(text.matchAll(PLACEHOLDER), ([, name = '']) => name),
  );
  return [...new Set(names)];
}

/** Makes the subject, the plain text and the HTML of a mail from the same template. */
export function renderMail(
  { subject, paragraphs }: MailTemplate,
  language: string,
  { trusted, values }: MailValues,
): RenderedMail {
  const fill = (text: string, escape: (value: string) => string): string =>
    text.replace(PLACEHOLDER, (_, name: string) => {
      const texts = trusted[name] ?? [values[name] ?? ''].flat().map(inertText).join(', ');
      return escape(texts);
    });
  const listOf = (paragraph: string): readonly string[] | null => {
    const [, name = ''] = /^\{(\w+)\}$/.exec(paragraph) ?? [];
    const value = values[name];
    return typeof value === 'object' ? value.map(inertText) : null;
  };
  const plain = paragraphs.map((paragraph) => {
    const items = listOf(paragraph);
    return items ? items.map((item) => `- ${item}`).join('\n') : fill(paragraph, (value) => value);
  });
  const html = paragraphs.map((paragraph) => {
    const items = listOf(paragraph);
    if (items) return `<ul>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`;
    const text = fill(escapeHtml(paragraph), escapeHtml);
    return paragraph === '{link}' ? `<p><a href="${text}">${text}</a></p>` : `<p>${text}</p>`;
  });
  return {
    subject: fill(subject, (value) => value),
    text: `${plain.join('\n\n')}\n`,
    html: page(language, html.join('\n')),
  };
}

function page(language: string, body: string): string {
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
<body style="font:16px/1.5 sans-serif;max-width:36em;margin:2em auto;padding:0 1em">
${body}
</body>
</html>
`;
}

import type { NoticeKind } from '../notice-kinds.js';

/**
 * The texts of notices by language, with `{by}`, who did it, and at the end `{title}`. A title is a text of a stranger,
 * of any length.
 */
const TEXTS: Readonly<Record<string, Readonly<Record<NoticeKind | 'untitled', string>>>> = {
  en: {
    submitted: '{by} has submitted: {title}',
    returned: '{by} has returned: {title}',
    commented: '{by} has commented on: {title}',
    mentioned: '{by} mentions you in a comment on: {title}',
    published: '{by} has published: {title}',
    scheduleFailed: 'What was scheduled will not happen: {title}',
    handedOver: '{by} has handed over to you: {title}',
    invited: '{by} has invited you: the link is in a mail',
    untitled: 'an article',
  },
  de: {
    submitted: '{by} hat eingereicht: {title}',
    returned: '{by} hat zurückgegeben: {title}',
    commented: '{by} hat kommentiert: {title}',
    mentioned: '{by} erwähnt Sie in einem Kommentar zu: {title}',
    published: '{by} hat veröffentlicht: {title}',
    scheduleFailed: 'Was geplant war, geschieht nicht: {title}',
    handedOver: '{by} hat Ihnen übergeben: {title}',
    invited: '{by} hat Sie eingeladen: Der Link steht in einer Mail',
    untitled: 'ein Beitrag',
  },
};

/** @param language `en` or `de` */
export function textOfNotice(
  language: string,
  kind: NoticeKind,
  { by = '', title }: { readonly by?: string | undefined; readonly title?: string | undefined },
): string {
  const texts = TEXTS[language] ?? TEXTS['en'];
  return (texts?.[kind] ?? '').replace(/\{(by|title)\}/g, (_, name: string) =>
    name === 'by' ? by : (title ?? texts?.untitled ?? ''),
  );
}

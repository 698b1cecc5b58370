/**
 * A setting of `.env.example`: a comment, then `#NAME=` with the default, or with an example if there is no default.
 */
export interface DocumentedSetting {
  readonly name: string;
  readonly value: string;
  readonly meaning: string;
  /** The default in production, from the words `In production …` of the comment; undefined without these words. */
  readonly inProduction: string | undefined;
  readonly group: string;
}

/** Matches the lines of one setting. A setting without a comment of its own does not match, and a test then fails. */
const SETTING = /(?<comment>(?:^# .+\n)+)^#(?<name>[A-Z\d_]+)=(?<value>.*)$/gm;
const IN_PRODUCTION = /\bIn production (\S+?)(?:[.:]\s|[.:]?$)/;

/** @param text the text of `.env.example` */
export function documentedSettings(text: string): DocumentedSetting[] {
  return text.split(/^# --- /m).flatMap((section) => {
    const [group = '', rest = ''] = section.split(/ ---\n/);
    return Array.from(rest.matchAll(SETTING), ({ groups }) => {
      const { comment = '', name = '', value = '' } = groups ?? {};
      const meaning = comment.replaceAll(/^# /gm, '').trim().replaceAll('\n', ' ');
      const [, inProduction] = IN_PRODUCTION.exec(meaning) ?? [];
      return { name, value, meaning, inProduction, group };
    });
  });
}

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Injectable } from '@nestjs/common';
import { Env } from '../../../platform/config/env.js';
import { siteNameOf } from '../../../platform/config/people/site-name.js';
import { OperatorError } from '../../../platform/config/operator.error.js';
import { MAIL_KIND_NAMES, MAIL_KINDS, type MailKind } from '../mail-kinds.js';
import { ENGLISH } from './english.js';
import { GERMAN } from './german.js';
import {
  parseTemplate,
  placeholdersOf,
  renderMail,
  type MailTemplate,
  type MailValue,
  type RenderedMail,
} from './mail-template.js';

const TEXTS: Readonly<Record<string, Readonly<Record<MailKind, string>>>> = {
  en: ENGLISH,
  de: GERMAN,
};

/** Writes mails in the language of the site, from the templates of `MAIL_TEMPLATES` or its own. */
@Injectable()
export class MailTexts {
  readonly language: string;
  /** The name of the site. */
  readonly site: string;
  private readonly templates: ReadonlyMap<MailKind, MailTemplate>;

  /** @throws OperatorError naming the file when a template of `MAIL_TEMPLATES` cannot be used */
  constructor(env: Env) {
    const { SITE_LANGUAGE, MAIL_TEMPLATES } = env;
    const language = SITE_LANGUAGE?.split('-')[0] ?? 'en';
    this.language = language in TEXTS ? language : 'en';
    this.site = siteNameOf(env);
    this.templates = new Map(
      MAIL_KIND_NAMES.map((kind) => [
        kind,
        ownTemplate(MAIL_TEMPLATES, kind) ?? builtIn(this.language, kind),
      ]),
    );
  }

  render(
    kind: MailKind,
    link: string | undefined,
    values: Readonly<Record<string, MailValue>>,
  ): RenderedMail {
    const template = this.templates.get(kind);
    if (!template) throw new Error(`no template for ${kind}`);
    return renderMail(template, this.language, {
      trusted: { site: this.site, ...(link === undefined ? {} : { link }) },
      values,
    });
  }
}

function builtIn(language: string, kind: MailKind): MailTemplate {
  const template = parseTemplate((TEXTS[language] ?? ENGLISH)[kind]);
  if (!template) throw new Error(`the text of ${kind} is malformed`);
  return template;
}

/** @returns null if the operator has no template of this kind */
function ownTemplate(folder: string | undefined, kind: MailKind): MailTemplate | null {
  const file = folder === undefined ? null : path.join(folder, `${kind}.txt`);
  if (file === null || !existsSync(file)) return null;
  const template = parseTemplate(readFileSync(file, 'utf8'));
  if (!template) {
    throw new OperatorError(
      `${file} must begin with a line "Subject: …" and an empty line, before the text of the mail.`,
    );
  }
  const row = MAIL_KINDS[kind];
  const known = ['site', 'link', ...row.values];
  const unknown = placeholdersOf(template).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new OperatorError(
      `${file} has the placeholder {${unknown.join('}, {')}}, which this mail has no value for: it has {${known.join('}, {')}}.`,
    );
  }
  if (row.fragment !== undefined && !template.paragraphs.includes('{link}')) {
    throw new OperatorError(`${file} must have a paragraph that is {link} alone.`);
  }
  return template;
}

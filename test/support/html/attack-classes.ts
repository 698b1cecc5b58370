/**
 * The classes of attacks for which there are payloads: those of OWASP's XSS Filter Evasion Cheat Sheet, and of
 * the advisories of sanitize-html and DOMPurify that apply to any sanitizer of HTML.
 */
export const ATTACK_CLASSES = [
  'script element',
  'event handler',
  'scheme in a URL attribute',
  'spelling of a scheme',
  'protocol-relative URL',
  'data URL',
  'URL within a value',
  'style sheet',
  'document metadata',
  'frame or plug-in',
  'form',
  'clobbered name',
  'prototype property',
  'svg',
  'mathml',
  'namespace confusion',
  'raw text',
  'comment',
  'processing instruction, CDATA or doctype',
  'template or shadow root',
  'select',
  'table',
  'deep nesting',
  'parser mutation',
  'custom element',
  'malformed tag',
  'attribute syntax',
  'character reference',
  'charset',
  'control or invisible character',
  'letter case',
  'template expression',
  'server directive or data binding',
  'harmful link or image',
] as const;

export type AttackClass = (typeof ATTACK_CLASSES)[number];

/** The payloads of some classes. */
export type Attacks = Partial<Record<AttackClass, readonly string[]>>;

import { ATTACK_CLASSES, type AttackClass, type Attacks } from './attack-classes.js';
import { DOCUMENT_ATTACKS } from './attacks/documents.js';
import { FOREIGN_ATTACKS } from './attacks/foreign.js';
import { ATTRIBUTE_ATTACKS } from './attacks/attributes.js';
import { MARKUP_ATTACKS } from './attacks/markup.js';
import { NAME_ATTACKS } from './attacks/names.js';
import { RAW_TEXT_ATTACKS } from './attacks/raw-text.js';
import { TEXT_ATTACKS } from './attacks/text.js';
import { URL_ATTACKS } from './attacks/urls.js';

const SOURCES: readonly Attacks[] = [
  ATTRIBUTE_ATTACKS,
  URL_ATTACKS,
  RAW_TEXT_ATTACKS,
  FOREIGN_ATTACKS,
  MARKUP_ATTACKS,
  NAME_ATTACKS,
  DOCUMENT_ATTACKS,
  TEXT_ATTACKS,
];

/** The payloads of each class. Every payload is in one class only. */
export const PAYLOADS: ReadonlyMap<AttackClass, ReadonlySet<string>> = collect();

function collect(): Map<AttackClass, Set<string>> {
  const collected = new Set<string>();
  return new Map(
    ATTACK_CLASSES.map((attack) => {
      const payloads = SOURCES.flatMap((source) => source[attack] ?? []).filter(
        (text) => !collected.has(text),
      );
      payloads.forEach((text) => collected.add(text));
      return [attack, new Set(payloads)];
    }),
  );
}

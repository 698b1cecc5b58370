import { ATTACK_CLASSES, type AttackClass, type Attacks } from './classes.js';
import { DOCUMENT_ATTACKS } from './documents.js';
import { FOREIGN_ATTACKS } from './foreign.js';
import { HANDLER_ATTACKS } from './handlers.js';
import { MARKUP_ATTACKS } from './markup.js';
import { NAME_ATTACKS } from './names.js';
import { RAW_TEXT_ATTACKS } from './raw-text.js';
import { TEXT_ATTACKS } from './text.js';
import { URL_ATTACKS } from './urls.js';

const SOURCES: readonly Attacks[] = [
  HANDLER_ATTACKS,
  URL_ATTACKS,
  RAW_TEXT_ATTACKS,
  FOREIGN_ATTACKS,
  MARKUP_ATTACKS,
  NAME_ATTACKS,
  DOCUMENT_ATTACKS,
  TEXT_ATTACKS,
];

/** The payloads of each class; none stands in two classes. */
export const PAYLOADS: ReadonlyMap<AttackClass, ReadonlySet<string>> = collect();

function collect(): Map<AttackClass, Set<string>> {
  const seen = new Set<string>();
  return new Map(
    ATTACK_CLASSES.map((attack) => {
      const payloads = SOURCES.flatMap((source) => source[attack] ?? []).filter(
        (text) => !seen.has(text),
      );
      payloads.forEach((text) => seen.add(text));
      return [attack, new Set(payloads)];
    }),
  );
}

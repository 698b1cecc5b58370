import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { PAYLOADS } from '../../../../test/support/html/attacks.js';
import {
  ADVISORIES,
  ATTACK_CLASSES,
  type AttackClass,
  OWASP,
} from '../../../../test/support/html/attack-classes.js';
import { HANDLERS } from '../../../../test/support/html/attacks/attributes.js';
import { HOST_SETTINGS } from '../../../../test/support/html/embed-oracle.js';
import { type Clean, findings } from '../../../../test/support/html/oracle.js';
import { cleanHtml } from './clean-html.js';

const uncleaned: Clean = (text) => text;

/** Failures that a test reports at most. */
const REPORTED_MAX = 5;

function failures(
  payloads: Iterable<string>,
  clean: Clean,
  hosts: readonly string[] = [],
): object[] {
  const failed: object[] = [];
  for (const payload of payloads) {
    const found = findings(payload, clean, hosts);
    if (found.length > 0) {
      failed.push({ payload, cleaned: clean(payload), found });
    }
  }
  return failed;
}

/** The failures of the cleaner itself. */
function failuresOf(payloads: Iterable<string>, hosts: readonly string[]): object[] {
  return failures(payloads, (html) => cleanHtml(html, hosts), hosts).slice(0, REPORTED_MAX);
}

const payloadsOf = (attack: AttackClass) => PAYLOADS.get(attack) ?? new Set<string>();

describe('cleanHtml against the grammar of attacks', () => {
  it('should be tried with at least 5,000 payloads, each of them once', () => {
    const all = [...PAYLOADS.values()].flatMap((payloads) => [...payloads]);
    expect(all.length).toBeGreaterThanOrEqual(5_000);
    expect(new Set(all).size).toBe(all.length);
  });

  it('should know every handler of the installed list of browser events', () => {
    expect(HANDLERS.length).toBeGreaterThan(150);
    expect(HANDLERS).toEqual(expect.arrayContaining(['onclick', 'onerror', 'onbeforetoggle']));
  });

  it.each([...OWASP, ...ADVISORIES])('should be tried with payloads like %s', (_, attack) => {
    expect(payloadsOf(attack).size).toBeGreaterThanOrEqual(50);
  });

  it.each(ATTACK_CLASSES)('should find most payloads unsafe without cleaning: %s', (attack) => {
    const payloads = payloadsOf(attack);
    expect(failures(payloads, uncleaned).length / payloads.size).toBeGreaterThan(0.5);
  });
});

describe.each(HOST_SETTINGS)('cleanHtml against the grammar of attacks, $setting', ({ hosts }) => {
  it.each(ATTACK_CLASSES)('should be safe and stable for: %s', (attack) => {
    expect(failuresOf(payloadsOf(attack), hosts)).toEqual([]);
  });
});

describe.each(HOST_SETTINGS)(
  'cleanHtml against the Big List of Naughty Strings, $setting',
  ({ hosts }) => {
    // By Max Woolf, MIT licence; the licence is in the same folder.
    const list = 'test/support/html/naughty-strings/blns.json';
    const strings = JSON.parse(readFileSync(list, 'utf8')) as string[];

    it.each(['*', '<p>*</p>', '<a href="*" title="*">x</a>', "<img src='*' alt='*'>", '<svg>*'])(
      'should be safe and stable for each of them in %s',
      (place) => {
        expect(strings.length).toBeGreaterThan(400);
        const payloads = strings.map((text) => place.replaceAll('*', () => text));
        expect(failuresOf(payloads, hosts)).toEqual([]);
      },
    );
  },
);

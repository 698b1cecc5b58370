import { describe, expect, it } from '@jest/globals';
import { PAYLOADS } from '../../../../test/support/html/attacks.js';
import { ATTACK_CLASSES, type AttackClass } from '../../../../test/support/html/attack-classes.js';
import { HANDLERS } from '../../../../test/support/html/attacks/attributes.js';
import { HOST_SETTINGS } from '../../../../test/support/html/embed-oracle.js';
import { type Clean, findings } from '../../../../test/support/html/oracle.js';
import { sample } from '../../../../test/support/scale.js';
import { cleanHtml } from './clean-html.js';

const uncleaned: Clean = (text) => text;

/** About how many payloads of each class `npm test` tries. */
const SAMPLE_SIZE = 60;

/** The largest number of failures that a test reports. */
const REPORTED_MAX = 5;

const payloadsOf = (attack: AttackClass) => sample([...(PAYLOADS.get(attack) ?? [])], SAMPLE_SIZE);

function failures(payloads: readonly string[], clean: Clean, hosts: readonly string[] = []) {
  return payloads
    .map((payload) => ({ payload, found: findings(payload, clean, hosts) }))
    .filter(({ found }) => found.length > 0);
}

describe('the grammar of attacks', () => {
  it('should have at least 5,000 payloads, no two alike, and 50 or more of each class', () => {
    const all = [...PAYLOADS.values()].flatMap((payloads) => [...payloads]);
    expect(all.length).toBeGreaterThanOrEqual(5_000);
    expect(new Set(all).size).toBe(all.length);
    expect([...PAYLOADS].filter(([, { size }]) => size < 50)).toEqual([]);
  });

  it('should know more than 150 event handlers, among them old and new ones', () => {
    expect(HANDLERS.length).toBeGreaterThan(150);
    expect(HANDLERS).toEqual(expect.arrayContaining(['onclick', 'onerror', 'onbeforetoggle']));
  });

  it.each(ATTACK_CLASSES)('should be mostly unsafe without cleaning: %s', (attack) => {
    const payloads = payloadsOf(attack);
    expect(failures(payloads, uncleaned).length / payloads.length).toBeGreaterThan(0.5);
  });
});

describe.each(HOST_SETTINGS)('cleanHtml against the grammar of attacks, $setting', ({ hosts }) => {
  it.each(ATTACK_CLASSES)('should be safe and stable for: %s', (attack) => {
    const clean: Clean = (html) => cleanHtml(html, hosts);
    expect(failures(payloadsOf(attack), clean, hosts).slice(0, REPORTED_MAX)).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { SecretForm } from './secret-form.js';

const FORM = new SecretForm('pr_');

describe('SecretForm.generate', () => {
  it('should generate unique secrets of the form', () => {
    const secrets = Array.from({ length: 100 }, () => FORM.generate());
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) {
      expect(secret).toMatch(/^pr_[0-9A-Za-z]{49}$/);
      expect([FORM.matches(secret), FORM.isMistyped(secret)]).toEqual([true, false]);
    }
  });
});

describe('SecretForm.isMistyped', () => {
  it('should detect a wrong character at any position after the mark', () => {
    const secret = FORM.generate();
    const missed = [...secret].slice(3).flatMap((character, index) => {
      const at = index + 3;
      const other = character === '0' ? '1' : '0';
      const mistyped = secret.slice(0, at) + other + secret.slice(at + 1);
      return FORM.isMistyped(mistyped) ? [] : [mistyped];
    });
    expect(missed).toEqual([]);
  });

  it.each(['k', 'GCMUDiuY5a7WvyUNt9n3QztToSHzK7Uj', 'pr_short', 'pr_', 'x'.repeat(256)])(
    'should say nothing of %s, which has another form',
    (text) => {
      expect([FORM.matches(text), FORM.isMistyped(text)]).toEqual([false, false]);
    },
  );
});

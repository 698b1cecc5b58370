import { describe, expect, it } from '@jest/globals';
import { effectiveRole } from './role-code.js';

describe('effectiveRole', () => {
  it.each([
    ['LEARNER', 'LEARNER'],
    ['AUTHOR', 'AUTHOR'],
    ['WRITER', 'AUTHOR'],
    ['EDITOR', 'EDITOR'],
    ['ADMIN', 'ADMIN'],
    ['admin', null],
    ['writer', null],
    ['ROOT', null],
    ['', null],
    ['constructor', null],
    ['__proto__', null],
  ])('should count a stored %j as %s', (stored, role) => {
    expect(effectiveRole(stored)).toBe(role);
  });
});

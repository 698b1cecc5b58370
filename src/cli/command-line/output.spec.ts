import { describe, expect, it } from '@jest/globals';
import { columns, printable } from './output.js';

describe('printable', () => {
  it.each([
    ['Eve\nroot@x  ADMIN  enabled', 'Eve\\u000aroot@x  ADMIN  enabled'],
    ['\r\t\0\x07\x08\x7f', '\\u000d\\u0009\\u0000\\u0007\\u0008\\u007f'],
    ['\x1b[2K\x1b]0;x\x07', '\\u001b[2K\\u001b]0;x\\u0007'],
    ['\x85\x9b31m', '\\u0085\\u009b31m'],
    ['a\u2028b\u2029c', 'a\\u2028b\\u2029c'],
    ['\u202egpj.exe\u202c', '\\u202egpj.exe\\u202c'],
    ['\u2066a\u2069\u200f\u200e\u061c', '\\u2066a\\u2069\\u200f\\u200e\\u061c'],
    ['\u{e0041}\ufeff\ud800', '\\udb40\\udc41\\ufeff\\ud800'],
    ['Zoë 春 👩‍💻 "a" \\n می\u200cخواهم', 'Zoë 春 👩‍💻 "a" \\n می\u200cخواهم'],
  ])('should show %j', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it('should keep the value of JSON', () => {
    const value = { name: 'a\n\x9b\u2028\u202e\u{e0041}\\' };
    const json = printable(JSON.stringify(value));
    expect(json).toMatch(/^[ -~]*$/);
    expect(JSON.parse(json)).toEqual(value);
  });
});

describe('columns', () => {
  it('should keep a cell from looking like several, or like several lines', () => {
    const rows = [
      ['a@x', 'Eve  ADMIN\u00a0 enabled', 'LEARNER'],
      ['root@x', 'Ada\n', 'ADMIN'],
    ];
    expect(columns(rows)).toEqual([
      'a@x     Eve ADMIN enabled  LEARNER',
      'root@x  Ada\\u000a          ADMIN',
    ]);
  });
});

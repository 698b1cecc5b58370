import { badFields, badTexts } from '../support/checks/bad-bodies.js';

export const NEVER_PAST = '2030-01-01T00:00:00.000Z';

export const BAD_TIMES = badFields(
  'expiresAt',
  'expiresAt must be a point in time such as 2030-01-01T00:00:00Z',
  [
    ['an empty text', ''],
    ['a word', 'tomorrow'],
    ['a number', 1_900_000_000_000],
    ['true', true],
    ['a list', [NEVER_PAST]],
    ['an object', {}],
    ['an operator', { $gt: '' }],
    ['a day', '2030-01-01'],
    ['a time without a zone', '2030-01-01T00:00:00'],
    ['a day that does not exist', '2030-02-30T00:00:00Z'],
    ['a month that does not exist', '2030-13-01T00:00:00Z'],
    ['an hour that does not exist', '2030-01-01T25:00:00Z'],
    ['blanks around it', ` ${NEVER_PAST} `],
    ['a NUL', `${NEVER_PAST}\0`],
    ['a lone surrogate', `${NEVER_PAST}\ud800`],
  ],
);

export const BAD_COMMENTS = badTexts('comment', { min: 1, max: 200, optional: true });

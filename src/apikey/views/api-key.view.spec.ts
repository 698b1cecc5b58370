import { describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { SCOPE_NAMES } from '../../platform/http/access/key-scopes/key-scope.js';
import { toApiKeyView } from './api-key.view.js';

const _id = new Types.ObjectId('66f1a2b3c4d5e6f708192a3b');
const KEY = 'GCMUDiuY5a7WvyUNt9n3QztToSHzK7Uj';

describe('toApiKeyView', () => {
  it('should show the first eight characters of a plain key, and the time in its id as createdAt', () => {
    expect(toApiKeyView({ _id, key: KEY, status: false })).toEqual({
      _id: '66f1a2b3c4d5e6f708192a3b',
      prefix: 'GCMUDiuY',
      enabled: false,
      scopes: SCOPE_NAMES,
      createdAt: _id.getTimestamp(),
    });
  });

  it.each(['k', 'fifteen letters'])('should show at most half of the short plain key %j', (key) => {
    const { prefix } = toApiKeyView({ _id, key, status: true });
    expect(key.startsWith(prefix)).toBe(true);
    expect(prefix.length).toBeLessThanOrEqual(key.length / 2);
  });

  it('should show a key without a status as disabled, because the guard refuses it', () => {
    const stored = { _id, key: KEY } as Parameters<typeof toApiKeyView>[0];
    expect(toApiKeyView(stored).enabled).toBe(false);
  });

  it('should join the comments of a list, and show none for an empty list', () => {
    const comments = ['To be used by the xyz vendor', 'mobile'];
    expect(toApiKeyView({ _id, key: KEY, status: true, comments }).comment).toBe(
      'To be used by the xyz vendor, mobile',
    );
    expect(toApiKeyView({ _id, key: KEY, status: true, comments: [] })).not.toHaveProperty(
      'comment',
    );
  });
});

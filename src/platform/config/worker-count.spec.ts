import { availableParallelism } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { validateEnv } from './env.js';
import { workerCount } from './worker-count.js';

const OWN_DATABASE = { MONGODB_URI: 'mongodb://db.example/pressroom' };

describe('workerCount', () => {
  it('should be one unless WORKERS is set', () => {
    expect(workerCount(validateEnv({}), 8)).toBe(1);
  });

  it('should be the configured number, whatever the number of cores', () => {
    expect(workerCount(validateEnv({ WORKERS: '3' }), 1)).toBe(3);
    expect(workerCount(validateEnv({ WORKERS: '3', ...OWN_DATABASE }), 8)).toBe(3);
  });

  it('should be one per core for auto, minus one for an embedded database, but at least one', () => {
    const auto = validateEnv({ WORKERS: 'auto' });
    expect([1, 2, 8].map((cores) => workerCount(auto, cores))).toEqual([1, 1, 7]);
    const withOwnDatabase = validateEnv({ WORKERS: 'auto', ...OWN_DATABASE });
    expect([1, 2, 8].map((cores) => workerCount(withOwnDatabase, cores))).toEqual([1, 2, 8]);
  });

  it('should ask the system for its cores', () => {
    const withOwnDatabase = validateEnv({ WORKERS: 'auto', ...OWN_DATABASE });
    expect(workerCount(withOwnDatabase)).toBe(availableParallelism());
  });
});

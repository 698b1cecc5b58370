import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HOST_SETTINGS } from '../../../../test/support/html/embed-oracle.js';
import { findings } from '../../../../test/support/html/oracle.js';
import { RANDOM_TEXTS, RANDOM_TREES } from '../../../../test/support/html/random-html.js';
import { runs, RUNS_DEADLINE_MS } from '../../../../test/support/scale.js';
import { cleanHtml } from './clean-html.js';

const TREE_RUNS = runs({ short: 1_500, long: 1_000_000 });
const TEXT_RUNS = runs({ short: 1_000, long: 200_000 });

describe.each(HOST_SETTINGS)('cleanHtml of random input, $setting', ({ hosts }) => {
  it.each([
    ['trees', RANDOM_TREES, TREE_RUNS],
    ['texts', RANDOM_TEXTS, TEXT_RUNS],
  ])(
    'should be safe and stable, and always be parsed to the same tree: %s',
    (kind, inputs, count) => {
      let [done, withElements] = [0, 0];
      const property = fc.property(inputs, (input) => {
        const clean = (html: string) => {
          const cleaned = cleanHtml(html, hosts);
          withElements += Number(html === input && cleaned.includes('<'));
          return cleaned;
        };
        const found = findings(input, clean, hosts);
        done += 1;
        if (found.length > 0) {
          throw new Error(found.join('\n'));
        }
      });
      fc.assert(property, { numRuns: count });
      process.stdout.write(
        `cleanHtml: ${done} random ${kind}, ${withElements} with elements left\n`,
      );
      expect(done).toBe(count);
      // If nearly all outputs had no elements, the test would prove little.
      expect(withElements).toBeGreaterThan(count / 20);
    },
    RUNS_DEADLINE_MS,
  );
});

import { describe, expect, it } from '@jest/globals';
import { nodeProblem } from './node-version.js';

describe('nodeProblem', () => {
  it.each(['22.12.0', '22.13.1', '23.0.0', '24.1.0', '100.0.0'])('should accept %s', (version) => {
    expect(nodeProblem(version)).toBeNull();
  });

  it.each(['22.11.9', '20.20.2', '9.99.0', '0.12.0'])('should say what %s lacks', (version) => {
    expect(nodeProblem(version)).toBe(
      `Pressroom needs Node.js 22.12 or newer, and this is v${version}: install one, or use "npm start".`,
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import { DurationHistogram } from './duration-histogram.js';

describe('DurationHistogram', () => {
  it('should count each duration in its bucket and in all larger buckets', () => {
    const histogram = new DurationHistogram();
    for (const seconds of [0, 0.001, 0.0011, 0.4, 2.5, 60]) histogram.observe(seconds);
    const samples = [...histogram.samples('x', { route: '/a' })];
    const bucketOf = (le: number | string) =>
      samples.find(({ labels }) => labels?.['le'] === le)?.value;
    expect([0.001, 0.005, 0.1, 0.5, 2.5, '+Inf'].map(bucketOf)).toEqual([2, 3, 3, 4, 5, 6]);
    const [sum, ...rest] = samples.slice(-2);
    expect(sum?.value).toBeCloseTo(62.9021);
    expect(rest).toEqual([{ metricName: 'x_count', labels: { route: '/a' }, value: 6 }]);
  });
});

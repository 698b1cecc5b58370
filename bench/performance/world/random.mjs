export function pick(random, values) {
  return values[Math.floor(random() * values.length)];
}

/**
 * Draws ranks by the law of Zipf and Mandelbrot, which tags and words follow: the k-th of `size`
 * comes up with a share of 1 / (k + offset).
 *
 * @returns a function that draws a rank from 0
 */
export function zipf(random, size, offset) {
  const cumulative = new Float64Array(size);
  let sum = 0;
  for (let rank = 0; rank < size; rank += 1) {
    sum += 1 / (rank + 1 + offset);
    cumulative[rank] = sum;
  }
  return () => {
    const drawn = random() * sum;
    let low = 0;
    let high = size - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cumulative[middle] > drawn) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

/**
 * How long the next guess has to wait: 1, 2, 4 … seconds.
 *
 * @param beyond how many failures there are beyond those that pass freely; from 0 on it delays
 * @returns seconds, 0 when there is no delay
 */
export function loginDelay(beyond: number, maxSeconds: number): number {
  return beyond < 0 ? 0 : Math.min(maxSeconds, 2 ** beyond);
}

/** @returns the reason of an aborted signal; an AbortError in older React Native, which sets no `reason` */
export function reasonOf(signal: AbortSignal): unknown {
  const reason: unknown = signal.reason;
  return reason ?? Object.assign(new Error('The call was aborted.'), { name: 'AbortError' });
}

/** @throws the signal's reason, as soon as it is aborted */
export async function orAborted<Result>(
  signal: AbortSignal | undefined,
  work: Promise<Result>,
): Promise<Result> {
  if (!signal) return work;
  let abort: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    // The caller may have aborted the signal with a reason that is no Error.
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
    abort = () => reject(reasonOf(signal));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (abort) signal.removeEventListener('abort', abort);
  }
}

/**
 * Waits.
 *
 * @throws the signal's reason, as soon as it is aborted
 */
export async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    await orAborted(signal, elapsed);
  } finally {
    clearTimeout(timer);
  }
}

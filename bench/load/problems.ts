import { messageOf } from '../../scripts/support/user-error.ts';

/** What went wrong in a load: how often, and the first of them. */
export interface Problems {
  readonly count: number;
  readonly sample: string;
}

export class ProblemCounter implements Problems {
  count = 0;
  sample = '';

  add(text: string): void {
    this.count += 1;
    this.sample ||= text;
  }

  /** For the message to another process. */
  report(): Problems {
    return { count: this.count, sample: this.sample };
  }
}

/** @throws Error when there were any */
export function throwIfAny({ count, sample }: Problems, what: string): void {
  if (count > 0) throw new Error(`${count} ${what} went wrong, such as: ${sample}`);
}

/** Some clients that each repeat an action until the deadline or the first problem. */
export async function repeatUntil(
  deadline: number,
  { clients, problems }: { clients: number; problems: ProblemCounter },
  action: () => Promise<void>,
): Promise<void> {
  const client = async () => {
    while (performance.now() < deadline && problems.count === 0) {
      await action().catch((error: unknown) => problems.add(messageOf(error)));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
}

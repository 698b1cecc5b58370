import { messageOf } from '../../scripts/support/user-error.ts';

/** What went wrong in a load: how often, and the first of them. */
export interface Problems {
  count: number;
  sample: string;
}

export function addProblem(problems: Problems, text: string): void {
  problems.count += 1;
  problems.sample ||= text;
}

/** Some clients that each repeat an action until the deadline or the first problem. */
export async function repeatUntil(
  deadline: number,
  { clients, problems }: { clients: number; problems: Problems },
  action: () => Promise<void>,
): Promise<void> {
  const client = async () => {
    while (performance.now() < deadline && problems.count === 0) {
      await action().catch((error: unknown) => addProblem(problems, messageOf(error)));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
}

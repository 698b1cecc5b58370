import type fc from 'fast-check';

/** fast-check expects a model and a real system. A run contains both. */
export interface ModelContext<Run> {
  readonly run: Run;
}

/** How many commands this process has executed. */
export const executed = { commands: 0 };

export class RunCommand<Run> implements fc.AsyncCommand<ModelContext<Run>, null> {
  constructor(
    private readonly label: string,
    private readonly isPossible: (run: Run) => boolean,
    private readonly act: (run: Run) => Promise<void> | void,
  ) {}

  check({ run }: Readonly<ModelContext<Run>>): boolean {
    return this.isPossible(run);
  }

  async run({ run }: ModelContext<Run>): Promise<void> {
    executed.commands += 1;
    await this.act(run);
  }

  toString(): string {
    return this.label;
  }
}

/** Repeats a command to give it more weight. */
export function weighted<Command>(
  weight: number,
  command: fc.Arbitrary<Command>,
): fc.Arbitrary<Command>[] {
  return Array<fc.Arbitrary<Command>>(weight).fill(command);
}

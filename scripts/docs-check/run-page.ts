import type { Block } from './blocks.ts';
import { ServerTerminal, Terminal, type Outcome, type ShellOptions } from './terminal.ts';

/** For each address in the pages, the address that replaces it. */
export type Addresses = Readonly<Record<string, string>>;

export interface PageRun extends ShellOptions {
  readonly url: string;
  readonly addresses: Addresses;
  readonly report: (block: Block, problem: string | null) => void;
}

/** An error envelope of Pressroom in the output of a block. */
const REFUSAL = /"code":"1000[123]","status":(?<status>\d{3})/g;

/**
 * Runs the blocks of a page in order, in one terminal. Each server has a terminal of its own, and runs until the
 * next server starts or the page ends. After a failure the rest of the page is not run.
 */
export async function runPage(blocks: readonly Block[], run: PageRun): Promise<void> {
  const terminal = new Terminal(run);
  let server: ServerTerminal | null = null;
  try {
    for (const block of blocks) {
      if (block.notRun !== null) continue;
      const commands = withAddresses(block.commands, run.addresses);
      let outcome: Outcome;
      if (block.startsServer || block.stopsServer) await server?.stop();
      if (block.startsServer) {
        // The server gets the variables that earlier blocks have exported.
        const { output: exported } = await terminal.run('export -p');
        server = new ServerTerminal(`${exported}\n${commands}`, run);
        outcome = await server.untilReady(run.url);
      } else {
        outcome = await terminal.run(commands);
      }
      const problem = problemOf(block, outcome);
      run.report(block, problem);
      if (problem !== null) return;
    }
  } finally {
    await server?.stop();
    terminal.close();
  }
}

function withAddresses(commands: string, addresses: Addresses): string {
  return Object.entries(addresses).reduce(
    (text, [written, used]) => text.replaceAll(written, used),
    commands,
  );
}

/**
 * @returns the problem of a block, or null. A refusal is a problem unless the text before the block names its
 * status.
 */
function problemOf(block: Block, { isOk, output }: Outcome): string | null {
  if (!isOk) return output.slice(-2_000);
  const statuses = [...output.matchAll(REFUSAL)].map((match) => match.groups?.status ?? '');
  const unexpected = statuses.find((status) => !block.textBefore.includes(status));
  return unexpected === undefined ? null : `answered ${unexpected}:\n${output.slice(-2_000)}`;
}

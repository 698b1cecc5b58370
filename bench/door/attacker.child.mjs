/** The process of those who attack; started by run-attack.mjs. */
import { setPriority } from 'node:os';
import { receiveJob, untilBegin, untilTold } from '../performance/load/job.mjs';

/** As in nice(1): attackers have machines of their own, and do not take the core from the reader. */
const DEFERENCE = 10;

const job = await receiveJob();
setPriority(job.deference ?? DEFERENCE);
const { attack } = await import(job.module);
await untilBegin();
for (;;) {
  process.send(await attack(job, untilTold()));
  await untilTold();
}

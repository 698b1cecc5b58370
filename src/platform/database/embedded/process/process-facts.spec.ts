import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import {
  findProcess,
  findWithPs,
  getIdentity,
  isAlive,
  parseProcStat,
  parsePs,
  sendSignal,
} from './process-facts.js';

describe('parseProcStat', () => {
  it('should parse a line whose program name contains brackets', () => {
    const fields = Array.from({ length: 30 }, (_, index) => String(index + 4));
    const line = `42 (a) S 1 (b) R ${fields.join(' ')}`;
    // Field 3 is the state, field 22 the start time (proc(5)).
    expect(parseProcStat(line)).toEqual({ state: 'R', startTicks: '22' });
  });
});

describe('parsePs', () => {
  it('should parse the columns', () => {
    const line = 'Ss+    501 Fri Nov 21 11:30:05 2025     /usr/bin/mongod --dbpath /a b/db\n';
    expect(parsePs(7, line)).toEqual({
      pid: 7,
      uid: 501,
      startTime: 'Fri Nov 21 11:30:05 2025',
      command: ['/usr/bin/mongod', '--dbpath', '/a', 'b/db'],
    });
  });

  it.each(['', '\n', 'Z 0 Fri Nov 21 11:30:05 2025 (sh)'])('should be null for %j', (line) => {
    expect(parsePs(7, line)).toBeNull();
  });
});

describe.each([
  ['findProcess', findProcess],
  ['findWithPs', findWithPs],
])('%s', (_name, find) => {
  it('should find this process', async () => {
    const facts = await find(process.pid);
    expect(facts).toMatchObject({ pid: process.pid, uid: process.getuid?.() });
    expect(facts?.command).toContain(process.argv[1]);
    expect(await find(process.pid)).toEqual(facts);
  });

  it('should return null for an unknown pid', async () => {
    expect(await find(2 ** 22 + 1)).toBeNull();
  });
});

describe('findProcess', () => {
  it.each([0, -1, 1.5, Number.NaN])('should return null for the invalid pid %d', async (pid) => {
    expect(await findProcess(pid)).toBeNull();
  });
});

describe('isAlive, getIdentity and sendSignal', () => {
  it('should distinguish a running process, a later one with its pid, and an ended one', async () => {
    const child = spawn('sleep', ['60']);
    await once(child, 'spawn');
    const identity = await getIdentity(child.pid ?? 0);
    expect(await isAlive(identity)).toBe(true);
    expect(await isAlive({ ...identity, startTime: 'another time' })).toBe(false);
    sendSignal(identity.pid, 'SIGKILL');
    await once(child, 'exit');
    expect(await isAlive(identity)).toBe(false);
    await expect(getIdentity(identity.pid)).rejects.toThrow('has ended');
    sendSignal(identity.pid, 'SIGTERM');
  });
});

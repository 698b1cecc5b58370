import { randomBytes } from 'node:crypto';
import { readOrCreateSecret, readSecret } from '../../../platform/config/data-dir.js';

const FILE = 'demo.json';

interface DemoFile {
  readonly password: string;
}

export function newDemoPassword(): string {
  return randomBytes(9).toString('base64url');
}

/**
 * The password of the demo's people in an embedded database. It is stored like the other
 * credentials.
 */
export async function readOrCreateDemoPassword(dataDir: string): Promise<string> {
  const { text } = await readOrCreateSecret(dataDir, FILE, () =>
    Promise.resolve(`${JSON.stringify({ password: newDemoPassword() } satisfies DemoFile)}\n`),
  );
  return (JSON.parse(text) as DemoFile).password;
}

/** @returns null before the demo was seeded */
export async function readDemoPassword(dataDir: string): Promise<string | null> {
  const text = await readSecret(dataDir, FILE);
  return text === null ? null : (JSON.parse(text) as DemoFile).password;
}

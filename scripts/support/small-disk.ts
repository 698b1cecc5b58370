import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';

/**
 * Mounts an empty file system of this size on a folder.
 *
 * @throws Error when this user may not
 */
export function mountDisk(folder: string, megabytes: number): void {
  mount('-t', 'tmpfs', '-o', `size=${megabytes}m`, 'pressroom-test', folder);
}

/**
 * Mounts the file system again in another mode.
 *
 * @throws Error while a process has a file there open for writing
 */
export function remountDisk(folder: string, mode: 'ro' | 'rw'): void {
  mount('-o', `remount,${mode}`, folder);
}

export function unmountDisk(folder: string): void {
  execFileSync('umount', [folder]);
}

/** Writes into a file until the disk has no space left. */
export function fillDisk(file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    for (const size of [1024 * 1024, 4096]) {
      const block = Buffer.alloc(size, 1);
      while (hasWritten(descriptor, block));
    }
  } finally {
    closeSync(descriptor);
  }
}

function mount(...args: readonly string[]): void {
  execFileSync('mount', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

function hasWritten(descriptor: number, block: Buffer): boolean {
  try {
    return writeSync(descriptor, block) === block.length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}

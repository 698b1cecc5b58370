/** What the system says when files cannot be written or read for a reason that an operator can mend. */
const DISK_CODES: ReadonlySet<string> = new Set([
  'EACCES',
  'EDQUOT',
  'EEXIST',
  'EFBIG',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENOSPC',
  'ENOTDIR',
  'EPERM',
  'EROFS',
]);

/** Whether an error is that of a disk which is full, read-only or gone. */
export function isDiskFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return syscall !== undefined && DISK_CODES.has(code);
}

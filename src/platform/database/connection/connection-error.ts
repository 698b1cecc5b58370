/** What a failed connection means for the operator. */
export interface ConnectionProblem {
  /** One sentence that says what to do. */
  readonly message: string;
  /** Whether waiting cannot resolve the problem. */
  readonly isFinal: boolean;
}

/**
 * Codes of MongoServerError for a refused login: AuthenticationFailed, and the code of MongoDB
 * Atlas.
 */
const REFUSED_LOGIN: readonly unknown[] = [18, 8_000];

/** Errors of the driver about the connection string. */
const UNUSABLE_URI = /^Mongo(Parse|API|InvalidArgument|Runtime|MissingCredentials)Error$/;

/** Error codes of the system for an unknown host, and for a missing SRV record of `mongodb+srv`. */
const UNKNOWN_HOST: readonly unknown[] = ['ENOTFOUND', 'ENODATA'];

interface DriverError extends Error {
  readonly code?: unknown;
  /** The state of each server, on an error of the server selection. */
  readonly reason?: {
    readonly servers?: ReadonlyMap<string, { readonly error?: { cause?: { code?: unknown } } }>;
  };
}

/** @param error the error that the driver has thrown */
export function explainConnectionError(error: unknown): ConnectionProblem {
  const { name, code, message, reason } = error as DriverError;
  const why = message.replace(/\.$/, '');
  if (REFUSED_LOGIN.includes(code)) {
    return {
      message: `The database refuses the user of MONGODB_URI (${why}): correct the name, the password or authSource.`,
      isFinal: true,
    };
  }
  if (name === 'MongoServerError') {
    return {
      message: `The database refused an operation (${why}): check the rights of the user of MONGODB_URI.`,
      isFinal: false,
    };
  }
  if (UNUSABLE_URI.test(name)) {
    return { message: `MONGODB_URI cannot be used (${why}): correct it.`, isFinal: true };
  }
  const servers = [...(reason?.servers?.values() ?? [])];
  // While another host is known, waiting for it may help.
  const isUnknown =
    servers.length === 0
      ? UNKNOWN_HOST.includes(code)
      : servers.every((server) => UNKNOWN_HOST.includes(server.error?.cause?.code));
  if (isUnknown) {
    return {
      message:
        `No host of the database is known here (${why}): ` +
        'correct the names in MONGODB_URI, or those in the configuration of the replica set.',
      isFinal: true,
    };
  }
  return {
    message: `The database cannot be reached (${why}): start it, or correct MONGODB_URI.`,
    isFinal: false,
  };
}

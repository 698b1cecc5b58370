/** What a failed connection means for the operator. */
export interface ConnectionProblem {
  /** One sentence that says what is wrong and what to do. */
  readonly message: string;
  /** Whether waiting cannot resolve the problem. */
  readonly isFinal: boolean;
}

/** Codes of a MongoServerError for failed authentication: AuthenticationFailed; AtlasError of MongoDB Atlas. */
const AUTHENTICATION_FAILED: readonly unknown[] = [18, 8_000];

/** Names of the driver's errors about the connection string. */
const UNUSABLE_URI = /^Mongo(Parse|API|InvalidArgument|Runtime|MissingCredentials)Error$/;

/** Code of a MongoServerError of a member that no replica set has, to which `directConnection=true` has led. */
const NO_MEMBER = 13_436;

export const UNINITIATED =
  'The database was started with --replSet, but its replica set was never initiated: ' +
  'run rs.initiate() in mongosh once (README.md, "Your own MongoDB").';

/** Error codes of a DNS lookup: unknown host; missing SRV record of a `mongodb+srv` connection string. */
const UNKNOWN_HOST: readonly unknown[] = ['ENOTFOUND', 'ENODATA'];

interface DriverError extends Error {
  readonly code?: unknown;
  /** In an error of server selection: the state of each server. */
  readonly reason?: {
    readonly servers?: ReadonlyMap<
      string,
      { readonly type?: string; readonly error?: { cause?: { code?: unknown } } }
    >;
  };
}

/** @param error the error that the driver has thrown while it connected */
export function explainConnectionError(error: unknown): ConnectionProblem {
  const { name, code, message, reason } = error as DriverError;
  const why = message.replace(/\.$/, '');
  if (AUTHENTICATION_FAILED.includes(code)) {
    return {
      message: `The database refuses the user of MONGODB_URI (${why}): correct the name, the password or authSource.`,
      isFinal: true,
    };
  }
  const servers = [...(reason?.servers?.values() ?? [])];
  if (code === NO_MEMBER || servers.some(({ type }) => type === 'RSGhost')) {
    return { message: UNINITIATED, isFinal: false };
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
  // If the name of any host can be resolved, waiting for this host may help. The list of servers is empty
  // after a failed SRV lookup.
  const isEveryHostUnknown =
    servers.length === 0
      ? UNKNOWN_HOST.includes(code)
      : servers.every((server) => UNKNOWN_HOST.includes(server.error?.cause?.code));
  if (isEveryHostUnknown) {
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

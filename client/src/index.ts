export {
  createClient,
  type ClientOptions,
  type PressroomClient,
  type SignedInUser,
} from './client.ts';
export {
  NetworkError,
  NotFoundError,
  PressroomError,
  StaleRevisionError,
  TemporaryError,
  UnauthorizedError,
  ValidationError,
} from './errors.ts';
export type { TokenStorage } from './session.ts';
export type {
  Answer,
  CallOptions,
  Data,
  FieldProblem,
  Item,
  ListPath,
  Method,
  Options,
  OptionsArgument,
  PasskeyOptions,
  PathOf,
  Reason,
} from './types.ts';

/** Something that whoever typed the command can mend; the message says what. */
export class UserError extends Error {
  isForUser = true;
}

/** The owner's email address and name, which a new password must not repeat. */
export interface PasswordOwner {
  readonly email: string;
  readonly name: string;
}

/** Whether the password is the email address or name of its owner, ignoring case and surrounding whitespace. */
export function namesItsOwner(password: string, { email, name }: PasswordOwner): boolean {
  const plain = plainOf(password);
  return [email, name].some((text) => plainOf(text) === plain);
}

function plainOf(text: string): string {
  return text.trim().normalize('NFKC').toLowerCase();
}
